/** The domains of each topology key, with their names. */
export interface DomainNames {
  readonly keys: readonly string[]
  readonly names: readonly (readonly string[])[]
  numberOf(key: number, name: string): number | undefined
}
