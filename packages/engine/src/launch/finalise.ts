import type { NodeClaimSpec } from '@kerf/apis'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import type { ConstraintsId } from '../model/ids.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { Template } from '../model/template.ts'
import type { PlannedClaim } from '../plan.ts'
import type { Problem } from '../problem/problem.ts'
import type { Reason } from '../reasons/reason.ts'
import { labels } from '../requirements/label-rules.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { Requirement } from '../requirements/requirement.ts'
import { type ClaimRequests, ClaimRequestTable } from './claim-requests.ts'
import { LaunchTable } from './launch-table.ts'

const REQUESTED_DRIVERS = 'karpenter.sh/requested-dra-drivers'

type DriversOf = (pod: BatchPod) => readonly string[]

/**
 * Turns packed claims into NodeClaims to launch (`docs/spec/scheduling.md#finalising-claims`,
 * `docs/spec/instance-types.md#truncation`, `docs/spec/instance-types.md#the-nodeclaim-object`).
 */
export class Finaliser {
  readonly #problem: Problem
  readonly #launches: LaunchTable
  readonly #requests: ClaimRequestTable

  constructor(problem: Problem) {
    this.#problem = problem
    this.#launches = new LaunchTable(problem.options, problem.rules)
    this.#requests = new ClaimRequestTable(problem.table)
  }

  /**
   * Returns the planned claim. If the claim cannot be launched, returns the reasons for its pods. `drivers` returns the drivers of the
   * devices that a pod needs on the node.
   */
  finalise(claim: PackedClaim, drivers: DriversOf): PlannedClaim | readonly Reason[] {
    const { constraintsTable } = this.#problem
    const constraints = constraintsTable.get(this.#withReservations(claim))
    const launch = this.#launches.of(constraints, claim.used)
    const { template } = constraints.index
    const subject = `nodepool/${template.name}`
    if (launch === undefined) return [{ code: 'offering.unavailable', subject, detail: {} }]
    if (constraints.hasMinValues && this.#problem.options.minValuesPolicy !== 'BestEffort') {
      const unmet = unmetMinValues(
        constraints.requirements,
        launch.types.map(({ requirements }) => requirements),
      )
      if (unmet.size > 0) {
        const detail = { keys: [...unmet.keys()], types: launch.types.length }
        return [{ code: 'min-values.unmet', subject, detail }]
      }
    }
    const sum = this.#requests.of(claim.pods, claim.used, launch.overhead)
    return {
      nodePool: template.name,
      pods: claim.pods.map(({ pod }) => pod),
      requirements: launch.specs,
      instanceTypes: launch.names,
      cheapest: template.commitment === undefined ? launch.cheapest : { ...launch.cheapest, price: 0 },
      ...(template.commitment === undefined ? {} : { commitment: template.commitment }),
      requests: sum.requests,
      labels: launch.labels,
      annotations: withDrivers(launch.annotations, claim.pods, drivers),
      spec: templateSpec(template, launch.claimRequirements, sum),
      minValuesRelaxed: launch.minValuesRelaxed,
      reasons: [
        {
          code: 'price.cheapest',
          subject,
          detail: {
            instanceType: launch.cheapest.instanceType,
            zone: launch.cheapest.zone,
            capacityType: launch.cheapest.capacityType,
            types: launch.names.length,
            pods: claim.pods.length,
          },
        },
      ],
    }
  }

  /** Returns the constraints of a claim, restricted to its reservations if it holds any (`docs/spec/scheduling.md#reserved-capacity`). */
  #withReservations({ constraints, reservations }: PackedClaim): ConstraintsId {
    const { constraintsTable, options } = this.#problem
    if (reservations === undefined || reservations.size === 0 || options.reservationIdLabel === undefined)
      return constraints
    let reserved = constraintsTable.replace(constraints, Requirement.in(labels.capacityType, ['reserved']))
    if (reserved === NO_CONSTRAINTS) return constraints
    reserved = constraintsTable.replace(reserved, Requirement.in(options.reservationIdLabel, reservations))
    return reserved === NO_CONSTRAINTS ? constraints : reserved
  }
}

/**
 * Returns the annotations, extended by the names of the required drivers. A node with devices is initialized only after these drivers have
 * published its devices.
 */
const withDrivers = (
  annotations: Readonly<Record<string, string>>,
  pods: readonly BatchPod[],
  driversOf: DriversOf,
): Readonly<Record<string, string>> => {
  const drivers = new Set<string>()
  for (const pod of pods) {
    if (pod.equivalenceGroup.devices !== undefined) for (const driver of driversOf(pod)) drivers.add(driver)
  }
  return drivers.size === 0 ? annotations : { ...annotations, [REQUESTED_DRIVERS]: [...drivers].sort().join(',') }
}

const templateSpec = (
  template: Template,
  requirements: NodeClaimSpec['requirements'],
  { written }: ClaimRequests,
): NodeClaimSpec => {
  const { taints, startupTaints, nodeClassRef, terminationGracePeriod, expireAfter } = template.pool.spec.template.spec
  return {
    ...(taints === undefined ? {} : { taints }),
    ...(startupTaints === undefined ? {} : { startupTaints }),
    requirements,
    resources: { requests: written },
    nodeClassRef,
    ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
    ...(expireAfter === undefined ? {} : { expireAfter }),
  }
}
