import type { ClaimView, DeploymentState, MachineView } from './machine-view.ts'

/** The holder of a Machine: a NodeClaim, a NodeClaim that no longer exists (`abandoned`), or none (`free`). */
export type Holder =
  | { readonly kind: 'claim'; readonly claim: ClaimView }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'free' }

const FREE: Holder = { kind: 'free' }
const ABANDONED: Holder = { kind: 'abandoned' }

/**
 * Returns the holder of every Machine, by Machine name. The UID on the Machine takes precedence over the NodeClaim's annotation, because it
 * is written first and cannot belong to a claim of an older cluster. If the Machine has no UID, as when upstream's provider bound it, the
 * annotation decides.
 */
export const machineHolders = (state: DeploymentState): ReadonlyMap<string, Holder> => {
  const { byUid, byMachine } = claimsFound(state.claims)
  const machineHolder = (machine: MachineView): Holder => {
    const claim = machine.claimUid === undefined ? byMachine.get(machine.name) : byUid.get(machine.claimUid)
    if (claim !== undefined) return { kind: 'claim', claim }
    const labelled = machine.member && !state.deployment.bornMember
    return machine.claimUid !== undefined || labelled ? ABANDONED : FREE
  }
  return new Map(state.machines.map((machine) => [machine.name, machineHolder(machine)]))
}

interface FoundClaims {
  readonly byUid: ReadonlyMap<string, ClaimView>
  /**
   * The NodeClaim whose annotation refers to each Machine, by Machine name. If several claims refer to one Machine, it is the first claim
   * by name, so that two writers get the same result.
   */
  readonly byMachine: ReadonlyMap<string, ClaimView>
}

const found = new WeakMap<readonly ClaimView[], FoundClaims>()

/**
 * Indexes the NodeClaims. The index is cached, because a state contains all claims of the cluster, and its Machines change more often than
 * its claims.
 */
export const claimsFound = (claims: readonly ClaimView[]): FoundClaims => {
  const known = found.get(claims)
  if (known !== undefined) return known
  const byMachine = new Map<string, ClaimView>()
  for (const claim of claims) {
    if (claim.machine === undefined) continue
    const first = byMachine.get(claim.machine)
    if (first === undefined || byName(claim, first) < 0) byMachine.set(claim.machine, claim)
  }
  const made = { byUid: new Map(claims.map((claim) => [claim.uid, claim])), byMachine }
  found.set(claims, made)
  return made
}

/**
 * Returns true if Kerf has marked the Machine for deletion, or if the Machine is already being deleted. Ignores marks of other writers,
 * because they only express a preference.
 */
export const isGoing = (machine: MachineView): boolean => machine.deleting || machine.mark?.by === 'kerf'

/** Returns the free Machines that are not being deleted, sorted newest first, then by name, so that two writers get the same order. */
export const freeMachines = (
  machines: readonly MachineView[],
  holders: ReadonlyMap<string, Holder>,
): readonly MachineView[] =>
  machines
    .filter((machine) => !isGoing(machine) && holders.get(machine.name)?.kind === 'free')
    .sort((a, b) => b.createdAt - a.createdAt || byName(a, b))

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0
