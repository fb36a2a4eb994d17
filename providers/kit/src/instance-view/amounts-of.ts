/** The amounts of resources that a Node or a NodeClaim shows, as the texts that an instance is described with. */
export const amountsOf = (
  list: Readonly<Record<string, string | number>> | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(list ?? {}).map(([name, amount]) => [name, String(amount)]))
