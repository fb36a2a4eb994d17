import { listAt, objectName, textAt } from './read.ts'

/** Which Node belongs to which NodeClaim. */
export interface NodeJoin {
  /** Names of Nodes, keyed by the names of their NodeClaims. */
  readonly nodes: ReadonlyMap<string, string>
  /** Names of NodeClaims, keyed by the names of their Nodes. */
  readonly claims: ReadonlyMap<string, string>
  /** The names of the listed NodeClaims, with and without a Node. */
  readonly listed: ReadonlySet<string>
}

export const NO_JOIN: NodeJoin = { nodes: new Map(), claims: new Map(), listed: new Set() }

/**
 * Joins Nodes and NodeClaims: by provider id, otherwise by the owner reference that the Node gets when it registers, otherwise by the name
 * in the claim's status. Objects with different provider ids are not joined by the name alone, because a new instance can have the name of
 * an earlier one.
 */
export const joinNodes = (claims: readonly unknown[], nodes: readonly unknown[]): NodeJoin => {
  const byProvider = new Map<string, string>()
  const byOwner = new Map<string, string>()
  const providers = new Map<string, string | undefined>()
  for (const node of nodes) {
    const provider = textAt(node, 'spec', 'providerID')
    providers.set(objectName(node), provider)
    if (provider !== undefined) byProvider.set(provider, objectName(node))
    for (const owner of listAt(node, 'metadata', 'ownerReferences'))
      if (textAt(owner, 'kind') === 'NodeClaim') byOwner.set(textAt(owner, 'uid') ?? '', objectName(node))
  }
  const claimNode = (claim: unknown): string | undefined => {
    const provider = textAt(claim, 'status', 'providerID')
    const found = byProvider.get(provider ?? '') ?? byOwner.get(textAt(claim, 'metadata', 'uid') ?? '')
    if (found !== undefined) return found
    const name = textAt(claim, 'status', 'nodeName')
    const other = providers.get(name ?? '')
    return provider === undefined || other === undefined || other === provider ? name : undefined
  }
  const ofClaims = new Map<string, string>()
  const ofNodes = new Map<string, string>()
  for (const claim of claims) {
    const node = claimNode(claim)
    if (node === undefined) continue
    ofClaims.set(objectName(claim), node)
    ofNodes.set(node, objectName(claim))
  }
  return { nodes: ofClaims, claims: ofNodes, listed: new Set(claims.map(objectName)) }
}

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)

/** Returns the earlier join if it is equal, so that values that were computed from it stay valid. */
export const keptJoin = (before: NodeJoin, now: NodeJoin): NodeJoin =>
  isSame(before.nodes, now.nodes) &&
  before.listed.size === now.listed.size &&
  [...now.listed].every((name) => before.listed.has(name))
    ? before
    : now

/** Returns the names of the Node and the NodeClaim of one instance, given the name of one of them. */
export const nodeAndClaim = (
  kind: 'Node' | 'NodeClaim',
  name: string,
  { nodes, claims }: NodeJoin,
): { readonly node: string | undefined; readonly claim: string | undefined } =>
  kind === 'Node' ? { node: name, claim: claims.get(name) } : { node: nodes.get(name), claim: name }
