import type { DecisionRow } from './decisions.ts'
import type { NodeJoin } from './node-join.ts'

/** Maximum time between the two events of one decision, in milliseconds. Event times are in whole seconds. */
const APART = 5_000

/** Matches a NodeClaim and its Node in the message of a nomination. */
const PAIR = /\bnodeclaim\/([a-z0-9.-]+), node\/([a-z0-9.-]+)/i

/** Returns the message without the kind of its object. Otherwise the messages about a Node and about its NodeClaim would differ. */
export const plainMessage = (message: string): string =>
  message
    .replace(/^Cannot disrupt (?:NodeClaim|Node): /, '')
    .replace(/\bNodeClaim\b/g, 'Node')
    .toLowerCase()

const aboutOf = ({ reason, type, from, message }: DecisionRow): string =>
  [reason, type, from, plainMessage(message)].join('\0')

/**
 * Pairs the events of Nodes and NodeClaims that are deleted or that the user is not allowed to list. A controller
 * publishes both events of a decision at about the same time. Which Node belongs to which NodeClaim is only a guess;
 * the number of pairs is certain. So the pairs are used to count nodes, also by NodePool, but never to show names.
 */
const guessedPairs = (claims: readonly DecisionRow[], nodes: readonly DecisionRow[]): ReadonlyMap<string, string> => {
  const open = new Map<string, DecisionRow[]>()
  for (const node of nodes) {
    const about = aboutOf(node)
    const list = open.get(about)
    if (list === undefined) open.set(about, [node])
    else list.push(node)
  }
  const pairs = new Map<string, string>()
  const taken = new Set<string>()
  for (const claim of claims) {
    if (pairs.has(claim.name)) continue
    const found = open
      .get(aboutOf(claim))
      ?.find(({ name, time }) => !taken.has(name) && Math.abs(time - claim.time) <= APART)
    if (found === undefined) continue
    pairs.set(claim.name, found.name)
    taken.add(found.name)
  }
  return pairs
}

/** Combines the rows of one decision about one node. */
const combined = (rows: readonly DecisionRow[], mentions: readonly string[]): DecisionRow => {
  const shown = rows.find(({ kind }) => kind === 'Node') ?? rows[0]
  const counts = new Map<string, number>()
  for (const { kind, count } of rows) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return {
    ...(shown as DecisionRow),
    first: Math.min(...rows.map(({ first }) => first)),
    time: Math.max(...rows.map(({ time }) => time)),
    count: Math.max(...counts.values()),
    mentions: [...new Set([...rows.flatMap((row) => row.mentions), ...mentions])].filter(
      (each) => each !== shown?.name,
    ),
  }
}

/**
 * Combines the two events that the controllers publish for each decision about a node: one about the Node, and one
 * about its NodeClaim. Without this, every node would count twice. `subject` of the returned rows is the same for a
 * Node and its NodeClaim.
 */
export const joinDecisions = (rows: readonly DecisionRow[], join: NodeJoin): readonly DecisionRow[] => {
  const nodeOf = new Map(join.nodes)
  const claimOf = new Map(join.claims)
  for (const { message } of rows) {
    const [, claim, node] = PAIR.exec(message) ?? []
    if (claim === undefined || node === undefined || nodeOf.has(claim) || claimOf.has(node)) continue
    nodeOf.set(claim, node)
    claimOf.set(node, claim)
  }
  const guessed = guessedPairs(
    rows.filter(({ kind, name }) => kind === 'NodeClaim' && !nodeOf.has(name) && !join.listed.has(name)),
    rows.filter(({ kind, name }) => kind === 'Node' && !claimOf.has(name)),
  )
  const guessedClaims = new Map(Array.from(guessed, ([claim, node]) => [node, claim]))
  const joined = new Map<string, DecisionRow[]>()
  const apart: DecisionRow[] = []
  for (const row of rows) {
    const node = row.kind === 'Node' ? row.name : nodeOf.get(row.name) ?? guessed.get(row.name)
    if (row.kind !== 'Node' && (row.kind !== 'NodeClaim' || node === undefined)) {
      apart.push(row)
      continue
    }
    const own = { ...row, subject: `Node/${node}` }
    const key = `${own.subject}\0${aboutOf(row)}`
    const list = joined.get(key)
    if (list === undefined) joined.set(key, [own])
    else list.push(own)
  }
  const namesOf = ({ kind, name }: DecisionRow): readonly string[] => {
    const other = kind === 'Node' ? claimOf.get(name) ?? guessedClaims.get(name) : nodeOf.get(name)
    return other === undefined ? [] : [other]
  }
  return [...apart, ...Array.from(joined.values(), (list) => combined(list, list.flatMap(namesOf)))]
}
