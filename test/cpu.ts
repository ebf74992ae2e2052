// How much work something takes, however busy the machine is: the processor time of this thread alone.

/** Milliseconds that the processor gave to this thread for some work. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
