/** Returns the resource amounts of a Node or NodeClaim as strings. */
export const textAmounts = (
  list: Readonly<Record<string, string | number>> | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(list ?? {}).map(([name, amount]) => [name, String(amount)]))
