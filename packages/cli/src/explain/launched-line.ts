/** Returns an owner in words: `ReplicaSet shop/web` for `ReplicaSet/shop/web`. */
const ownerText = (owner: string): string => owner.replace('/', ' ')

/** Returns a line with the owners for whose expected pods Kerf launched a node, or undefined if there are none. */
export const launchedLine = (owners: readonly string[] | undefined): string | undefined =>
  owners === undefined || owners.length === 0
    ? undefined
    : `Launched for expected pods of ${owners.map(ownerText).join(', ')}`
