/** Makes a flag repeatable: each use adds its value to those before. */
export const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]
