import type { Milliseconds, NodeClaim } from '@kerf/apis'
import { areCompatible, isNotKnownYet } from '@kerf/provider-contract'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { NamespacedName } from '../management/management-cluster.ts'
import { textOfName } from '../management/namespaced-name.ts'
import type { Member, Membership } from '../members/member.ts'
import type { ClusterAPINodeClass } from '../node-class/cluster-api-node-class.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { deploymentOffer } from './deployment-offer.ts'
import { type LaunchChoice, labelsOfSource } from './launch-sources.ts'
import { areSameFacts, type MachineFacts } from './machine-facts.ts'
import { type MergedTypes, mergedTypes } from './merged-types.ts'
import { StableTypes } from './stable-types.ts'
import { machineTypes } from './types-of.ts'

/** How long a MachineDeployment without capacity stays unavailable. */
export const UNAVAILABLE_FOR: Milliseconds = 180_000

/** The inputs of a node class's instance types, for each member. If an input is the same object as before, it has not changed. */
interface MemberRead extends Pick<Member, 'deployment' | 'mayLaunch'> {
  readonly facts: MachineFacts
}

const areSame = (a: readonly MemberRead[], b: readonly MemberRead[]): boolean =>
  a.length === b.length &&
  a.every((one, index) => {
    const other = b[index]
    return (
      other !== undefined &&
      one.deployment === other.deployment &&
      one.mayLaunch === other.mayLaunch &&
      areSameFacts(one.facts, other.facts)
    )
  })

/** Computes the current instance types of each node class from its members. */
export class ClassTypes {
  readonly #membership: (nodeClass: ClusterAPINodeClass) => Membership
  readonly #factsOf: (deployment: MachineDeployment) => MachineFacts
  readonly #stable = new StableTypes()
  readonly #last = new Map<string, readonly Member[]>()
  readonly #merged = new Map<string, { readonly read: readonly MemberRead[]; readonly merged: MergedTypes }>()
  /** MachineDeployments without capacity, with the reason. */
  readonly #exhausted: TtlCache<string, string>

  /** `factsOf` returns the facts that Nodes and machine templates show about a MachineDeployment's machines. */
  constructor(
    clock: Clock,
    membership: (nodeClass: ClusterAPINodeClass) => Membership,
    factsOf: (deployment: MachineDeployment) => MachineFacts = () => ({}),
  ) {
    this.#membership = membership
    this.#factsOf = factsOf
    this.#exhausted = new TtlCache(clock, { ttl: UNAVAILABLE_FOR })
  }

  /**
   * Returns the types of a node class. If the management cluster stops responding, returns the last known types, all of them unavailable.
   * Throws NotKnownYetError until Kerf has read the management cluster.
   */
  of(nodeClass: ClusterAPINodeClass): MergedTypes {
    const { name } = nodeClass.metadata
    const read = this.#members(nodeClass).map((member): MemberRead => {
      const { deployment, mayLaunch } = this.#asKnown(member)
      return { deployment, mayLaunch, facts: this.#factsOf(deployment) }
    })
    const last = this.#merged.get(name)
    if (last !== undefined && areSame(last.read, read)) return last.merged
    const offers = read.map(({ deployment, mayLaunch, facts }) => deploymentOffer(deployment, mayLaunch, facts))
    const merged = this.#stable.of(name, mergedTypes(offers))
    this.#merged.set(name, { read, merged })
    return merged
  }

  /** Makes the MachineDeployment unavailable for a while. */
  exhausted(deployment: NamespacedName, reason: string): void {
    this.#exhausted.set(textOfName(deployment), reason)
  }

  /**
   * Returns the instance type and source of a Machine that belongs to the MachineDeployment. Uses the types of the Machine's node class, so
   * that the result equals an offered type. If the class is gone, computes both from the deployment alone.
   */
  choiceFor(
    member: Member,
    nodeClass: ClusterAPINodeClass | undefined,
    claim: NodeClaim | undefined,
  ): LaunchChoice | undefined {
    const name = textOfName(member.deployment)
    const within = (merged: MergedTypes): LaunchChoice | undefined => {
      for (const type of merged.types) {
        const sources = (merged.sources.get(type.name) ?? []).filter(
          ({ deployment }) => textOfName(deployment) === name,
        )
        const [source] = [
          ...sources.filter((each) => areCompatible(claim?.spec.requirements ?? [], labelsOfSource(each))),
          ...sources,
        ]
        if (source !== undefined) return { type, source }
      }
      return undefined
    }
    const ofClass = nodeClass === undefined ? undefined : within(this.of(nodeClass))
    return ofClass ?? within(machineTypes([member], this.#factsOf))
  }

  #members(nodeClass: ClusterAPINodeClass): readonly Member[] {
    const { name } = nodeClass.metadata
    try {
      const { members } = this.#membership(nodeClass)
      this.#last.set(name, members)
      return members
    } catch (error) {
      const last = this.#last.get(name)
      if (!isNotKnownYet(error) || last === undefined) throw error
      return last.map((member) => ({ ...member, mayLaunch: false }))
    }
  }

  #asKnown(member: Member): Member {
    return this.#exhausted.get(textOfName(member.deployment)) === undefined ? member : { ...member, mayLaunch: false }
  }
}
