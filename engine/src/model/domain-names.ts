/** How many domains each topology key has, and their names. */
export interface DomainNames {
  readonly keys: readonly string[]
  readonly names: readonly (readonly string[])[]
  numberOf(key: number, name: string): number | undefined
}
