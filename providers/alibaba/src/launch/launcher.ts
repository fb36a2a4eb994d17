import { capacityTypes, labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { CreateError, InsufficientCapacityError, offeringCoordinates } from '@kerf/provider-contract'
import { claimUid, type LaunchOption } from '@kerf/provider-kit'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { AlibabaApi, LaunchResult } from '../api/actions.ts'
import { AlibabaApiError } from '../api/alibaba-api-error.ts'
import { ackUserData, customUserData, nodeTaints } from '../bootstrap/user-data.ts'
import type { ClusterFacts } from '../discovery/cluster-facts.ts'
import { kindOfCode, kindOfError } from '../failures/failure-kind.ts'
import type { EcsInstance } from '../instances/ecs-instance.ts'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'
import { type LaunchCandidates, launchCandidates, optionZone } from './launch-candidates.ts'
import { capacityText, failureText, isCapacityKind, noInstance, unansweredLaunch } from './launch-failures.ts'
import { imageFor, instanceTags, type LaunchPlan, launchRequest } from './launch-request.ts'
import type { RefusedOfferings } from './refused-offerings.ts'
import type { VSwitchAddresses } from './vswitch-addresses.ts'

export interface LauncherOptions {
  readonly api: AlibabaApi
  readonly clock: Clock
  readonly cluster: ClusterFacts
  readonly region: string
  readonly clusterId: string
  readonly refused: RefusedOfferings
  readonly addresses: VSwitchAddresses
}

/** A launched instance, and the option with which it was launched. */
export interface Launched {
  readonly instance: EcsInstance
  readonly option: LaunchOption
}

/** How long Kerf keeps data about a NodeClaim's launches. A claim that is not launched within this time has been deleted by then. */
const REMEMBERED_FOR: Milliseconds = 3_600_000
/** For how long the API's lists may omit a launched instance. */
const LIST_LAG: Milliseconds = 60_000

/** The error code for a client token that was first used with other parameters. */
const OTHER_PARAMETERS = 'IdempotentParameterMismatch'

/** Launches instances for NodeClaims (`providers/alibaba/docs/spec/alibaba.md#create`). */
export class Launcher {
  readonly #options: LauncherOptions
  /**
   * The number of launches without an instance in the response, by NodeClaim UID. After such a response, the next launch needs a new client
   * token.
   */
  readonly #refused: TtlCache<string, number>
  /** The time at which the API first refused a client token because of different parameters. */
  readonly #mismatched: TtlCache<string, Milliseconds>

  constructor(options: LauncherOptions) {
    this.#options = options
    this.#refused = new TtlCache(options.clock, { ttl: REMEMBERED_FOR })
    this.#mismatched = new TtlCache(options.clock, { ttl: REMEMBERED_FOR })
  }

  /**
   * Launches one instance. A repeated launch with the same NodeClaim and the same options returns the first instance.
   *
   * @throws InsufficientCapacityError if no offering that the claim allows is available; CreateError for any other failure.
   */
  async launch(
    claim: NodeClaim,
    nodeClass: ECSNodeClass,
    types: readonly InstanceType[],
    signal: AbortSignal,
  ): Promise<Launched> {
    let failure: InsufficientCapacityError | undefined
    for (const candidates of launchCandidates(claim, types)) {
      try {
        return await this.#launchAs(claim, nodeClass, candidates, signal)
      } catch (error) {
        if (!(error instanceof InsufficientCapacityError)) throw error
        failure = failure === undefined ? error : new InsufficientCapacityError(`${failure.message}; ${error.message}`)
      }
    }
    throw failure ?? new InsufficientCapacityError(`no offering matches nodeclaim ${claim.metadata.name}`)
  }

  async #launchAs(
    claim: NodeClaim,
    nodeClass: ECSNodeClass,
    { capacityType, options }: LaunchCandidates,
    signal: AbortSignal,
  ): Promise<Launched> {
    const { region, clusterId, api } = this.#options
    const plans = this.#plans(options, nodeClass)
    const uid = claimUid(claim)
    const isSpot = capacityType === capacityTypes.spot
    const attempt = this.#refused.get(uid) ?? 0
    const request = launchRequest(claim, nodeClass, {
      ...{ region, clusterId, isSpot, plans },
      token: attempt === 0 ? uid : `${uid}-${attempt}`,
      userData: await this.#userData(claim, nodeClass, plans[0], capacityType, signal),
    })
    let results: readonly LaunchResult[]
    try {
      const answer = await api.call('CreateAutoProvisioningGroup', request, signal)
      results = answer.LaunchResults?.LaunchResult ?? []
    } catch (error) {
      signal.throwIfAborted()
      throw this.#refusedCall(uid, plans, capacityType, nodeClass, error)
    }
    for (const { ErrorCode: reason = '', InstanceType: type = '', ZoneId: zone = '' } of results)
      if (reason !== '' && type !== '' && zone !== '')
        this.#options.refused.mark(kindOfCode(reason), { type, zone, capacityType, reason }, plans, nodeClass)
    const launched = results.find(({ InstanceIds }) => (InstanceIds?.InstanceId ?? []).length > 0)
    const [id] = launched?.InstanceIds?.InstanceId ?? []
    const plan = plans.find(
      ({ option }) => option.type.name === launched?.InstanceType && optionZone(option) === launched.ZoneId,
    )
    if (launched === undefined || id === undefined || plan === undefined) {
      this.#refused.set(uid, attempt + 1)
      throw noInstance(results, nodeClass.metadata.name)
    }
    this.#refused.delete(uid)
    const { option, vSwitch, image } = plan
    this.#options.addresses.take(vSwitch, 1)
    const instance: EcsInstance = {
      ...{ id, type: option.type.name, zone: optionZone(option), vSwitch, image, status: 'Pending' },
      isSpot: (launched.SpotStrategy ?? (isSpot ? 'SpotAsPriceGo' : 'NoSpot')) !== 'NoSpot',
      securityGroups: request.LaunchConfiguration.SecurityGroupIds,
      tags: instanceTags(claim, nodeClass, clusterId),
      createdAt: new Date(this.#options.clock.now()).toISOString(),
    }
    return { instance, option }
  }

  /** Returns the plans for those options that have an image and a vSwitch with free addresses. */
  #plans(options: readonly LaunchOption[], nodeClass: ECSNodeClass): readonly [LaunchPlan, ...LaunchPlan[]] {
    const { vSwitches = [] } = nodeClass.status ?? {}
    const [first, ...rest] = options.flatMap((option): readonly LaunchPlan[] => {
      const inZone = vSwitches.filter(({ zoneID }) => zoneID === optionZone(option)).map(({ id }) => id)
      const vSwitch = this.#options.addresses.largest(inZone)
      const image = imageFor(option, nodeClass)
      return vSwitch === undefined || image === undefined ? [] : [{ option, vSwitch, image }]
    })
    if (first === undefined)
      throw new InsufficientCapacityError(
        capacityText(
          ['addresses'],
          `ECSNodeClass ${nodeClass.metadata.name} has no image, or no vSwitch with free addresses, for any of ${options.length} offerings`,
        ),
      )
    return [first, ...rest]
  }

  async #userData(
    claim: NodeClaim,
    { spec }: ECSNodeClass,
    { option }: LaunchPlan,
    capacityType: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { cluster, clusterId } = this.#options
    if (!cluster.isManaged) return customUserData(spec?.userData)
    const [pool] = await cluster.nodePools(signal)
    const { runtime: name, runtime_version: version } = pool?.kubernetes_config ?? {}
    const arch = option.type.requirements.find(({ key }) => key === labels.arch)?.values?.includes('arm64')
    const attachScript = await cluster.attachScript(
      {
        formatsDisk: spec?.formatDataDisk ?? false,
        arch: arch === true ? 'arm64' : 'amd64',
        poolId: pool?.nodepool_info?.nodepool_id,
      },
      signal,
    )
    return ackUserData({
      ...{ attachScript, clusterId, taints: nodeTaints(claim), kubelet: spec?.kubeletConfiguration ?? {} },
      labels: { ...claim.metadata.labels, [labels.capacityType]: capacityType },
      ...(name === undefined || version === undefined ? {} : { runtime: { name, version } }),
      ...(spec?.userData === undefined ? {} : { userData: spec.userData }),
    })
  }

  /** Returns the error for a launch that the API refused as a whole. Such a refusal does not identify the option that caused it. */
  #refusedCall(
    uid: string,
    plans: readonly LaunchPlan[],
    capacityType: string,
    nodeClass: ECSNodeClass,
    error: unknown,
  ): Error {
    if (!(error instanceof AlibabaApiError)) return unansweredLaunch(error)
    const { code, detail } = error
    if (code === OTHER_PARAMETERS) {
      // The first request may have launched an instance that the API does not list yet. A later search may find it.
      const now = this.#options.clock.monotonic()
      const since = this.#mismatched.get(uid) ?? now
      this.#mismatched.set(uid, since)
      if (now - since >= LIST_LAG) this.#refused.set(uid, (this.#refused.get(uid) ?? 0) + 1)
      return new CreateError(
        'LaunchRepeated',
        'an earlier launch of the NodeClaim had other options; Kerf looks for its instance before it launches again',
        { cause: error },
      )
    }
    const kind = kindOfError(error)
    if (!isCapacityKind(kind)) return new CreateError(...failureText(kind, code, detail), { cause: error })
    for (const { option } of plans) {
      const { instanceType: type, zone } = offeringCoordinates(option.type, option.offering)
      this.#options.refused.mark(
        kind,
        { type, zone, capacityType, reason: code, isOneOf: plans.length },
        plans,
        nodeClass,
      )
    }
    return new InsufficientCapacityError(capacityText([kind], `${code}: ${detail}`), { cause: error })
  }
}
