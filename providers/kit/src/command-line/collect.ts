/** Makes a flag repeatable: appends the value to the values of earlier uses. */
export const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]
