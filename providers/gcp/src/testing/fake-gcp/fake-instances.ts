import { formatTime, type Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { TypeFacts } from '../../type-facts.ts'
import type { FakeOffer } from './fake-offer.ts'
import type { FakeOperations } from './fake-operations.ts'
import { type ErrorEntry, GoogleError, notFound } from './google-error.ts'
import { checkInsert } from './insert-rules.ts'
import type { InstanceBody } from './instance-body.ts'
import { PROJECT, selfLink } from './names.ts'

/** How long changes take, and how much later lists show them. */
export interface Durations {
  /** The time until an inserted instance is running. */
  readonly insert: Milliseconds
  /** The time until the operation of an insert fails for lack of capacity. */
  readonly stockOut: Milliseconds
  readonly delete: Milliseconds
  /** The time until a list shows an inserted instance. `get` returns it at once. */
  readonly listLag: Milliseconds
}

/** A failure of inserts that a test configures. */
export interface InsertFailure {
  /** Whether the service refuses the insert at once. By default, the service accepts the insert, and the operation fails later. */
  readonly isAtOnce?: boolean
  readonly code:
    | 'ZONE_RESOURCE_POOL_EXHAUSTED'
    | 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'
    | 'QUOTA_EXCEEDED'
    | 'IP_SPACE_EXHAUSTED'
    | 'INTERNAL_ERROR'
  readonly offerings: OfferingPattern
}

interface Kept {
  readonly body: InstanceBody
  readonly facts: TypeFacts
  readonly zone: string
  readonly id: string
  labels: Readonly<Record<string, string>>
  readonly createdAt: Milliseconds
  readonly runsAt: Milliseconds
  /** The time at which an instance without capacity disappears. */
  readonly vanishesAt: Milliseconds
  /** The time at which the instance is deleted or stopped. Absent until it is deleted or preempted. */
  endsAt?: Milliseconds
  /** Whether the instance is stopped at `endsAt` instead of deleted. */
  isStopped?: boolean
}

const isSpotBody = ({ scheduling = {} }: InstanceBody): boolean =>
  scheduling.provisioningModel === 'SPOT' || scheduling.preemptible === true

/**
 * Returns the error entries of a failed operation (cloud.google.com/compute/docs/troubleshooting, "Resource availability"; reports of 2023
 * to 2026).
 */
const entriesOf = ({ code }: InsertFailure, type: string, zone: string): readonly ErrorEntry[] => {
  const path = `projects/${PROJECT}/zones/${zone}`
  switch (code) {
    case 'INTERNAL_ERROR':
      return [{ code, message: 'Internal error.' }]
    case 'ZONE_RESOURCE_POOL_EXHAUSTED':
    case 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS':
      return [
        {
          code,
          message: `The zone '${path}' does not have enough resources available to fulfill the request.  '(resource type:compute)'.`,
          errorDetails: [
            {
              errorInfo: {
                domain: 'compute.googleapis.com',
                reason: 'resource_availability',
                metadatas: { vmType: type, zone, attachment: '', zonesAvailable: '' },
              },
            },
          ],
        },
      ]
    case 'QUOTA_EXCEEDED':
      return [{ code, message: `Quota 'N2_CPUS' exceeded.  Limit: 24.0 in region us-central1.` }]
    case 'IP_SPACE_EXHAUSTED':
      return [{ code, message: `IP space of '${path}' is exhausted.` }]
  }
}

/** The instances of the fake, which are created, deleted and preempted over time. */
export class FakeInstances {
  /** The failures that tests configured. Each applies to every insert that it matches. */
  failures: InsertFailure[] = []
  /** The paths of subnetworks without free addresses. The operations of inserts into them fail. */
  readonly fullSubnetworks = new Set<string>()
  durations: Durations
  readonly #clock: Clock
  readonly #offer: FakeOffer
  readonly #operations: FakeOperations
  readonly #instances = new Map<string, Kept>()
  #made = 0

  constructor(clock: Clock, offer: FakeOffer, operations: FakeOperations, durations: Durations) {
    this.#clock = clock
    this.#offer = offer
    this.#operations = operations
    this.durations = durations
  }

  insert(zone: string, body: InstanceBody, requestId: string | null): object {
    const target = `projects/${PROJECT}/zones/${zone}/instances/${body.name}`
    const earlier = this.#operations.earlier(requestId, target)
    if (earlier !== undefined) return earlier
    const offer = this.#offer
    const facts = checkInsert(body, {
      zone,
      typeNamed: (name) => offer.hasType(name, zone),
      hasDiskType: (name) => offer.hasDiskType(name),
      hasImage: (path) => offer.hasImage(path),
      hasRange: (subnetwork, range) => offer.ranges.get(subnetwork)?.includes(range) === true,
    })
    if (this.#living(zone, body.name) !== undefined)
      throw new GoogleError(409, 'alreadyExists', `The resource '${target}' already exists`)
    const capacityType = isSpotBody(body) ? 'spot' : 'on-demand'
    const offering = { capacityType, instanceType: facts.name, zone }
    const isFull = (body.networkInterfaces ?? []).some(({ subnetwork = '' }) => this.fullSubnetworks.has(subnetwork))
    const failure: InsertFailure | undefined = isFull
      ? { code: 'IP_SPACE_EXHAUSTED', offerings: {} }
      : this.failures.find(({ offerings }) => isMeantBy(offerings, offering))
    if (failure?.isAtOnce === true) {
      const [entry] = entriesOf(failure, facts.name, zone)
      throw new GoogleError(failure.code === 'QUOTA_EXCEEDED' ? 403 : 503, failure.code, entry?.message ?? '')
    }
    const now = this.#clock.monotonic()
    const { insert, stockOut } = this.durations
    const takes = failure === undefined ? insert : stockOut
    this.#instances.set(`${zone}/${body.name}`, {
      ...{ body, facts, zone, id: `${5_000 + this.#made++}`, labels: body.labels ?? {} },
      ...{ createdAt: now, runsAt: now + insert },
      // An instance without capacity can be read for a moment.
      vanishesAt: failure === undefined ? Number.POSITIVE_INFINITY : now + stockOut / 2,
    })
    return this.#operations.start({
      ...{ zone, type: 'insert', target, takes },
      ...(requestId === null ? {} : { requestId }),
      ...(failure === undefined
        ? {}
        : {
            failure: {
              status: failure.code === 'QUOTA_EXCEEDED' ? 403 : 503,
              errors: entriesOf(failure, facts.name, zone),
            },
          }),
    })
  }

  get(zone: string, name: string): object {
    const kept = this.#living(zone, name)
    if (kept === undefined) throw notFound(`projects/${PROJECT}/zones/${zone}/instances/${name}`)
    return this.#view(kept)
  }

  /** Returns the instances that a list of the zone currently shows. */
  listed(zone: string): readonly object[] {
    const now = this.#clock.monotonic()
    return [...this.#instances.values()]
      .filter((kept) => kept.zone === zone && this.#isThere(kept) && now >= kept.createdAt + this.durations.listLag)
      .map((kept) => this.#view(kept))
  }

  delete(zone: string, name: string, requestId: string | null): object {
    const target = `projects/${PROJECT}/zones/${zone}/instances/${name}`
    const earlier = this.#operations.earlier(requestId, target)
    if (earlier !== undefined) return earlier
    const kept = this.#living(zone, name)
    if (kept === undefined) throw notFound(target)
    const ends = this.#clock.monotonic() + this.durations.delete
    kept.endsAt = Math.min(kept.endsAt ?? ends, ends)
    kept.isStopped = false
    return this.#operations.start({
      ...{ zone, type: 'delete', target, takes: this.durations.delete },
      ...(requestId === null ? {} : { requestId }),
    })
  }

  setLabels(
    zone: string,
    name: string,
    request: { readonly labels?: Kept['labels']; readonly labelFingerprint?: string },
  ): object {
    const target = `projects/${PROJECT}/zones/${zone}/instances/${name}`
    const kept = this.#living(zone, name)
    if (kept === undefined) throw notFound(target)
    if (request.labelFingerprint !== fingerprintOf(kept.labels))
      throw new GoogleError(412, 'conditionNotMet', 'Labels fingerprint either invalid or resource labels have changed')
    kept.labels = request.labels ?? {}
    return this.#operations.start({ zone, type: 'setLabels', target, takes: 0 })
  }

  /** Adds an instance that has been running for `age`. */
  plant(zone: string, request: object, age: Milliseconds): void {
    const body = request as InstanceBody
    const type = body.machineType?.split('/').at(-1) ?? ''
    const facts = this.#offer.hasType(type, zone)
    if (facts === undefined) throw new Error(`${zone} has no ${type}`)
    const at = this.#clock.monotonic() - age
    this.#instances.set(`${zone}/${body.name}`, {
      ...{ body, facts, zone, id: `${5_000 + this.#made++}`, labels: body.labels ?? {} },
      ...{ createdAt: at, runsAt: at, vanishesAt: Number.POSITIVE_INFINITY },
    })
  }

  /** Removes an instance at once, as if another user had deleted it. */
  vanish(zone: string, name: string): void {
    this.#instances.delete(`${zone}/${name}`)
  }

  /** Preempts a spot instance. It stops, and its termination action decides whether it is deleted. */
  preempt(zone: string, name: string): void {
    const kept = this.#living(zone, name)
    if (kept === undefined) throw new Error(`there is no ${name} in ${zone}`)
    kept.endsAt = this.#clock.monotonic() + this.durations.delete
    kept.isStopped = kept.body.scheduling?.instanceTerminationAction !== 'DELETE'
  }

  /** Returns every existing instance, with the data from which it was created. */
  all(): readonly {
    readonly zone: string
    readonly body: InstanceBody
    readonly facts: TypeFacts
    readonly status: string
  }[] {
    return [...this.#instances.values()]
      .filter((kept) => this.#isThere(kept))
      .map((kept) => ({ zone: kept.zone, body: kept.body, facts: kept.facts, status: this.#statusOf(kept) }))
  }

  /** Returns the source image of a boot disk. A boot disk has the name of its instance. */
  bootImage(zone: string, name: string): string | undefined {
    return this.#living(zone, name)?.body.disks?.find(({ boot }) => boot === true)?.initializeParams?.sourceImage
  }

  #living(zone: string, name: string): Kept | undefined {
    const kept = this.#instances.get(`${zone}/${name}`)
    return kept !== undefined && this.#isThere(kept) ? kept : undefined
  }

  #isThere({ vanishesAt, endsAt, isStopped = false }: Kept): boolean {
    const now = this.#clock.monotonic()
    return now < vanishesAt && (isStopped || endsAt === undefined || now < endsAt)
  }

  #statusOf({ createdAt, runsAt, endsAt }: Kept): string {
    const now = this.#clock.monotonic()
    if (endsAt !== undefined) return now < endsAt ? 'STOPPING' : 'TERMINATED'
    if (now >= runsAt) return 'RUNNING'
    return now < (createdAt + runsAt) / 2 ? 'PROVISIONING' : 'STAGING'
  }

  /** Returns an instance in the format of the service, without the parameters from which its disks were created. */
  #view(kept: Kept): object {
    const { body, zone, id, labels, createdAt, facts } = kept
    const age = this.#clock.monotonic() - createdAt
    const path = `projects/${PROJECT}/zones/${zone}`
    return {
      ...body,
      kind: 'compute#instance',
      id,
      labels,
      labelFingerprint: fingerprintOf(labels),
      zone: selfLink(path),
      selfLink: selfLink(`${path}/instances/${body.name}`),
      machineType: selfLink(`${path}/machineTypes/${facts.name}`),
      creationTimestamp: formatTime(this.#clock.now() - age),
      status: this.#statusOf(kept),
      disks: (body.disks ?? []).map(({ initializeParams: _params, ...disk }, index) => ({
        ...disk,
        kind: 'compute#attachedDisk',
        index,
        type: disk.type ?? 'PERSISTENT',
        ...(disk.type === 'SCRATCH'
          ? {}
          : { source: selfLink(`${path}/disks/${index === 0 ? body.name : `${body.name}-${index}`}`) }),
      })),
    }
  }
}

/** Returns a fingerprint, which changes with the labels. */
const fingerprintOf = (labels: Readonly<Record<string, string>>): string =>
  Buffer.from(JSON.stringify(Object.entries(labels).toSorted()))
    .toString('base64')
    .slice(-16)
