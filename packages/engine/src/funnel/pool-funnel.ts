import { untoleratedTaint } from '@kerf/apis'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { EquivalenceGroup, Variant } from '../model/equivalence-group.ts'
import { type ConstraintsId, hostOfClaim } from '../model/ids.ts'
import type { Template } from '../model/template.ts'
import type { Run } from '../packing/packing-run.ts'
import { accessRefusal } from '../pods/pool-access.ts'
import { namespaceLabels } from '../problem/pool-access-index.ts'
import { detailTexts } from '../reasons/detail-texts.ts'
import { type Reason, type ReasonCode, reasonFromData } from '../reasons/reason.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { Requirements } from '../requirements/requirements.ts'
import { absentResource, amountText, isAbsent, resourceShortage } from './resource-shortage.ts'
import { type Culprit, culpritTogether, topologyCulprit } from './topology-culprit.ts'

/** The number of offerings of a NodePool that remain after one more constraint of the pod. */
export interface FunnelStage {
  readonly constraint: string
  readonly offeringsLeft: number
  /** Present, and true, if the constraint is a request for a resource that no instance type of the NodePool has. */
  readonly isAbsentResource?: true
}

/** The numbers of offerings of a NodePool that remain after each constraint of a pod. */
export interface PoolFunnel {
  readonly nodePool: string
  readonly stages: readonly FunnelStage[]
  /** The reason why no offering remains; `undefined` if the pool can launch a node for the pod. */
  readonly reason: Reason | undefined
}

const countBits = (bits: Uint32Array): number => {
  let count = 0
  forEachBit(bits, () => count++)
  return count
}

/**
 * Checks one pool, one stage after the other. The first stages are access, and extended resources that none of the pool's instance types
 * has. The other stages have the same order as in a decision: taints, limits, labels, volumes, devices, topology, resources, minValues.
 * `isPlaced` means that the pod has already been placed, so its own devices count as available.
 */
export const poolFunnel = (
  run: Run,
  equivalenceGroup: EquivalenceGroup,
  variant: Variant,
  template: Template,
  isPlaced = false,
): PoolFunnel => new FunnelWalk(run, equivalenceGroup, variant, template).ask(isPlaced)

/** The offerings of a pool that remain while the constraints of a pod are applied one after the other. */
class FunnelWalk {
  readonly #run: Run
  readonly #equivalenceGroup: EquivalenceGroup
  readonly #variant: Variant
  readonly #template: Template
  readonly #stages: FunnelStage[]
  /** The constraints of a new claim from this pool, including the pod's constraints that have been applied so far. */
  #constraints: ConstraintsId = NO_CONSTRAINTS

  constructor(run: Run, equivalenceGroup: EquivalenceGroup, variant: Variant, template: Template) {
    this.#run = run
    this.#equivalenceGroup = equivalenceGroup
    this.#variant = variant
    this.#template = template
    this.#stages = [{ constraint: 'offerings', offeringsLeft: template.offerings.length }]
  }

  ask(isPlaced: boolean): PoolFunnel {
    const { constraintsTable } = this.#run.problem
    const [volumes] = this.#equivalenceGroup.volumeAlternatives
    return (
      this.#askAccess() ??
      this.#askAbsentResource() ??
      this.#askTaints() ??
      this.#askLimits() ??
      this.#apply('', constraintsTable.requirementSet(this.#variant.requirements), 'requirement.unsatisfied') ??
      (volumes === undefined ? undefined : this.#apply('volumes: ', volumes, 'volume.topology')) ??
      this.#askDevices(isPlaced) ??
      this.#askTopology() ??
      this.#askResources() ?? { nodePool: this.#template.name, stages: this.#stages, reason: undefined }
    )
  }

  #refuse<Code extends ReasonCode>(
    constraint: string,
    code: Code,
    detail: Reason<Code>['detail'],
    facts: Pick<FunnelStage, 'isAbsentResource'> = {},
  ): PoolFunnel {
    const { name } = this.#template
    return {
      nodePool: name,
      stages: [...this.#stages, { constraint, offeringsLeft: 0, ...facts }],
      reason: reasonFromData({ code, subject: `nodepool/${name}`, detail }),
    }
  }

  get #offeringsLeft(): number {
    return countBits(this.#run.problem.constraintsTable.get(this.#constraints).offerings)
  }

  #pass(constraint: string, offeringsLeft = this.#offeringsLeft): void {
    this.#stages.push({ constraint, offeringsLeft })
  }

  #askAccess(): PoolFunnel | undefined {
    const { name } = this.#template
    const { snapshot } = this.#run.problem
    const access = snapshot.access?.get(name)
    if (access === undefined) return undefined
    const refusal = accessRefusal(access, this.#equivalenceGroup.pod, namespaceLabels(snapshot))
    if (refusal === undefined) return undefined
    const { code, ...detail } = refusal
    return this.#refuse('access', code, detail)
  }

  /** This check comes before taints, because nothing else about the pool matters if its nodes cannot have the resource. */
  #askAbsentResource(): PoolFunnel | undefined {
    const absent = absentResource(this.#template, this.#equivalenceGroup)
    return absent === undefined ? undefined : this.#refuseShortage(String(absent.resource), absent)
  }

  #askTaints(): PoolFunnel | undefined {
    const taint = untoleratedTaint(this.#template.taints, this.#variant.preferences.tolerations)
    if (taint === undefined) return undefined
    const text = `${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`
    return this.#refuse(`taint ${text}`, 'taint.not-tolerated', { taint: text })
  }

  #askLimits(): PoolFunnel | undefined {
    const { constraintsTable } = this.#run.problem
    const { index } = this.#template
    const limits = this.#run.limits[index]
    if (limits?.nodesExhausted === true) {
      return this.#run.ceilings?.isReached === true
        ? this.#refuseByCeiling()
        : this.#refuse('limit on nodes', 'nodepool.node-limit', {})
    }
    const allowed = limits?.allowed(constraintsTable)
    if (allowed === undefined) {
      if (limits?.isAtCeiling === true) return this.#refuseByCeiling()
      const resources = [...(limits?.remaining() ?? [])].map(
        ([name, left]) => `${name} (${amountText(name, left)} left)`,
      )
      return this.#refuse('limits', 'nodepool.limit', { resource: resources.join(', ') })
    }
    this.#constraints = constraintsTable.root(index, allowed)
    if (allowed !== 0) this.#pass('limits')
    return undefined
  }

  #refuseByCeiling(): PoolFunnel {
    const left = [...(this.#run.limits[this.#template.index]?.ceilingsReached() ?? [])]
    const resource = left
      .map(([name, amount]) => `${name} (${amountText(name, amount > 0n ? amount : 0n)} left)`)
      .join(', ')
    return this.#refuse('ceilings', 'ceiling', { resource })
  }

  /** Applies requirements one by one, to find the requirement that leaves no offering. */
  #apply(constraint: string, wanted: Requirements, code: Reason['code']): PoolFunnel | undefined {
    const { constraintsTable, rules } = this.#run.problem
    for (const requirement of wanted.byKey.values()) {
      const only = Requirements.of([requirement])
      const before = constraintsTable.get(this.#constraints).requirements
      const next = constraintsTable.join(this.#constraints, constraintsTable.requirementNumber(only))
      const name = `${constraint}${requirement}`
      if (next === NO_CONSTRAINTS) {
        const refusal = before.refusal(only, rules.isWellKnown)
        const { key } = requirement
        if (refusal?.kind === 'unknown-label') {
          const hint = rules.typoHint(key, before.byKey.keys())
          return this.#refuse(name, 'requirement.label-unknown', { key, hint })
        }
        const found = refusal === undefined ? detailTexts.nothingFound : String(refusal.existing)
        return this.#refuse(name, code, { key, wanted: String(requirement), found })
      }
      this.#constraints = next
      this.#pass(name)
    }
    return undefined
  }

  #askDevices(isPlaced: boolean): PoolFunnel | undefined {
    const { devices, nodes, claims } = this.#run
    const { devices: wanted, row } = this.#equivalenceGroup
    if (wanted === undefined || devices === undefined) return undefined
    const before = this.#offeringsLeft
    const target = hostOfClaim(nodes.size, claims.nextId)
    const narrowed = isPlaced
      ? devices.narrowAnew(target, wanted, this.#constraints, row)
      : devices.narrow(target, wanted, this.#constraints, row, false)
    const { shortage } = devices
    if (narrowed === NO_CONSTRAINTS) {
      return shortage === undefined ? undefined : this.#refuse('devices', 'device.unavailable', { ...shortage })
    }
    this.#constraints = narrowed
    if (this.#offeringsLeft < before) this.#pass('devices')
    return undefined
  }

  #askTopology(): PoolFunnel | undefined {
    const culprit = topologyCulprit(this.#run, this.#equivalenceGroup, this.#variant, this.#constraints)
    if (culprit !== undefined) return this.#refuseBy(culprit)
    if (this.#variant.keyTerms.length === 0) return undefined
    this.#constraints = this.#run.bestConstraints(this.#constraints, this.#variant, this.#equivalenceGroup)
    if (this.#constraints === NO_CONSTRAINTS) {
      const groups = this.#variant.keyTerms.flatMap((terms) => terms.groups)
      return this.#refuseBy(culpritTogether(groups))
    }
    this.#pass('topology')
    return undefined
  }

  #refuseBy({ code, ...detail }: Culprit): PoolFunnel {
    return this.#refuse(`${code.slice('topology.'.length)} over ${detail.key}`, code, detail)
  }

  #refuseShortage(constraint: string, detail: Reason<'resources.exceeded'>['detail']): PoolFunnel {
    const resource = String(detail.resource)
    // If each resource alone is available but not their combination, the detail does not contain a requested resource.
    const isAbsentResource = this.#equivalenceGroup.requests.has(resource) && isAbsent(this.#template, resource)
    return this.#refuse(constraint, 'resources.exceeded', detail, isAbsentResource ? { isAbsentResource } : {})
  }

  /** Checks allocatable capacity, and `minValues` among the instance types that have enough of it. */
  #askResources(): PoolFunnel | undefined {
    const { row } = this.#equivalenceGroup
    const left = this.#run.problem.constraintsTable.get(this.#constraints)
    let fitting = 0
    forEachBit(left.offerings, (offering) => {
      if (left.index.fits(offering, row)) fitting++
    })
    if (fitting === 0 && this.#run.limits[this.#template.index]?.isAtCeiling === true) {
      const { index } = left
      if (this.#template.offerings.some((_, offering) => index.fits(offering, row))) return this.#refuseByCeiling()
    }
    if (fitting === 0) return this.#refuseShortage('resources', resourceShortage(left, this.#equivalenceGroup))
    this.#pass('resources', fitting)
    if (!left.hasMinValues) return undefined
    const types = fittingTypes(left, row).map(({ requirements }) => requirements)
    const unmet = unmetMinValues(left.requirements, types)
    if (unmet.size === 0) return undefined
    return this.#refuse('minValues', 'min-values.unmet', { keys: [...unmet.keys()], types: types.length })
  }
}

/**
 * Returns a number that is higher the closer a pool came to accepting the pod. The stage at which the pool was rejected matters most,
 * followed by the number of offerings left before that stage. A pool without a resource that the pod requests is never close.
 */
export const nearness = ({ stages, reason }: PoolFunnel): number => {
  if (reason === undefined) return Number.POSITIVE_INFINITY
  const before = stages.at(-2)?.offeringsLeft ?? 0
  return (stages.at(-1)?.isAbsentResource === true ? 0 : stages.length * 1e6) + before
}
