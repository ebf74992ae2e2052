// Times of day as the person who looks writes them. Making a format costs more than a hundred uses of it.

const [day, both] = [
  new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }),
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
];

export const clockTime = (time: number): string => day.format(time);
export const dateAndTime = (time: number): string => both.format(time);
