// DBOS is installed for one example alone. Without it that example is still compiled with the rest.
declare module '@dbos-inc/dbos-sdk' {
  export const DBOS: {
    setConfig: (config: { name: string; systemDatabaseUrl: string; logLevel: string }) => void;
    launch: () => Promise<void>;
    shutdown: () => Promise<void>;
    runStep: <Value>(work: () => Promise<Value>, about: { name: string }) => Promise<Value>;
    registerWorkflow: <Words extends unknown[], Value>(
      work: (...words: Words) => Promise<Value>,
      about: { name: string },
    ) => (...words: Words) => Promise<Value>;
    startWorkflow: <Words extends unknown[], Value>(
      work: (...words: Words) => Promise<Value>,
      about: { workflowID: string },
    ) => (...words: Words) => Promise<{ workflowID: string; getResult: () => Promise<Value> }>;
  };
}
