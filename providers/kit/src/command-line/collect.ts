/** Makes a flag repeatable: appends its value to the values of earlier occurrences. */
export const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]
