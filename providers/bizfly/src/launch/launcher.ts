import { capacityTypes, formatTime, type Milliseconds, type NodeClaim, parseTime } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  CreateError,
  InsufficientCapacityError,
  type OfferingPattern,
  offeringCoordinates,
} from '@kerf/provider-contract'
import { type LaunchOption, launchDemand, launchOptions, type UnavailableOfferings } from '@kerf/provider-kit'
import { type Clock, type Logger, sleep, TtlCache, textOfThrown } from '@kerf/runtime'
import type { BizflyApi, Server, ServerRequest } from '../api/bizfly-api.ts'
import { failureKind, toStepCause } from '../failures.ts'
import type { WorkerImages } from '../images/worker-images.ts'
import type { BizflyCloudNodeClass } from '../node-class/bizfly-node-class.ts'
import { flavorName } from '../servers/server-view.ts'
import { isBroken, type Servers } from '../servers/servers.ts'
import { FailurePause } from './failure-pause.ts'
import { type ClusterJoin, type LaunchChoice, launchChoice, launchRequest } from './launch-request.ts'

/** How long an offering stays unavailable after a failed launch. */
export const UNAVAILABLE_FOR: Milliseconds = 180_000

/** The interval between checks of a creation, and the maximum time that one call spends on them. */
const ASK_EVERY: Milliseconds = 5_000
const ASK_FOR: Milliseconds = 200_000
/** For how long after the request the API's lists may omit a server. */
const LIST_LAG: Milliseconds = 30_000
const REMEMBERED_FOR: Milliseconds = 3_600_000
/** The maximum number of offerings that one call tries. */
const MOST_OPTIONS = 5

export interface LauncherDeps {
  readonly api: BizflyApi
  readonly clock: Clock
  readonly log: Logger
  readonly servers: Servers
  readonly images: WorkerImages
  readonly unavailable: UnavailableOfferings
  readonly join: ClusterJoin
  /** The Kubernetes version in the metadata of servers. If empty, Kerf uses the version of the API server. */
  readonly kubernetesVersion: string
}

/** A launched server, with the option and the values with which it was launched. */
export interface Launched {
  readonly server: Server
  readonly option: LaunchOption
  readonly choice: LaunchChoice
  readonly image: string
}

/** A creation that Bizfly Cloud has accepted. */
interface Pending extends Omit<Launched, 'server'> {
  readonly task: string
  readonly request: ServerRequest
}

/** Returns a server from the result of its creation task. Values that the result omits come from the request. */
const createdServer = (
  request: ServerRequest,
  result: Partial<Server> & Pick<Server, 'id'>,
  now: Milliseconds,
): Server => ({
  ...{ name: request.name, status: 'ACTIVE', metadata: request.metadata, flavor_name: request.flavor },
  ...{ created: formatTime(now), 'OS-EXT-AZ:availability_zone': request.availability_zone },
  ...result,
})

/** Launches servers for NodeClaims (`providers/bizfly/docs/spec/bizfly.md#create`). */
export class Launcher {
  readonly #deps: LauncherDeps
  /** The time at which this process started to launch servers. Before that, another process may have launched some. */
  #leadsSince: Milliseconds | undefined
  /** The accepted creations, by claim UID. */
  readonly #pending: TtlCache<string, Pending>
  /** Claims whose last request received no response. A server may exist for them that the API does not list yet. */
  readonly #unanswered: TtlCache<string, true>
  readonly #pause: FailurePause

  constructor(deps: LauncherDeps) {
    this.#deps = deps
    this.#pending = new TtlCache(deps.clock, { ttl: REMEMBERED_FOR })
    this.#unanswered = new TtlCache(deps.clock, { ttl: LIST_LAG })
    this.#pause = new FailurePause(deps.clock)
  }

  /** Records that this process launches servers. Returns the time at which it started to do so. */
  lead(): Milliseconds {
    this.#leadsSince ??= this.#deps.clock.now()
    return this.#leadsSince
  }

  /**
   * Launches one server, and waits until its creation has ended. The caller must first check that the claim has no server yet.
   *
   * @throws InsufficientCapacityError if no offering that the claim allows is available; CreateError for any other failure.
   */
  async launch(
    claim: NodeClaim,
    nodeClass: BizflyCloudNodeClass,
    types: readonly InstanceType[],
    signal: AbortSignal,
  ): Promise<Launched> {
    const uid = claim.metadata.uid ?? ''
    const pending = this.#pending.get(uid) ?? (await this.#request(claim, nodeClass, types, signal))
    this.#pending.set(uid, pending)
    const server = await this.#created(claim, pending, signal)
    this.#pending.delete(uid)
    this.#pause.succeeded()
    return { ...pending, server }
  }

  /**
   * Returns the servers that an earlier attempt created for a claim.
   *
   * @throws InsufficientCapacityError if a creation failed (the server is then deleted)
   */
  async earlier(claim: NodeClaim, signal: AbortSignal): Promise<readonly Server[]> {
    const { servers } = this.#deps
    const found = await servers.launchedFor(claim.metadata.name, claim.metadata.uid ?? '', signal)
    const broken = found.find(isBroken)
    if (broken === undefined) return found
    const zone = broken['OS-EXT-AZ:availability_zone'] ?? ''
    const offering = { instanceType: flavorName(broken), zone, capacityType: capacityTypes.onDemand }
    throw await this.#failure(claim, offering, broken.id, signal)
  }

  async #request(
    claim: NodeClaim,
    nodeClass: BizflyCloudNodeClass,
    types: readonly InstanceType[],
    signal: AbortSignal,
  ): Promise<Pending> {
    const { images, join, kubernetesVersion } = this.#deps
    const { name } = claim.metadata
    const options = launchOptions(types, launchDemand(claim))
    const choice = launchChoice(claim, nodeClass)
    if (choice === undefined || options.length === 0)
      throw new InsufficientCapacityError(`no instance type that nodeclaim ${name} admits is available`)
    this.#mayRequest(claim)
    const image = await images.find(choice.osType, signal)
    if (image === undefined)
      throw new CreateError(
        'ImageNotFound',
        `there is no worker image of ${choice.osType} for the version of the cluster; change spec.osType of BizflyCloudNodeClass ${nodeClass.metadata.name}`,
      )
    const version = kubernetesVersion === '' ? await images.clusterVersion(signal) : kubernetesVersion
    const refusals: string[] = []
    for (const option of options.slice(0, MOST_OPTIONS)) {
      const request = launchRequest(claim, nodeClass, option, { choice, image, version, join })
      try {
        return { task: await this.#post(claim, request, signal), request, option, choice, image }
      } catch (error) {
        signal.throwIfAborted()
        if (failureKind(error) !== 'capacity') throw error
        this.#deps.unavailable.mark(offeringCoordinates(option.type, option.offering), 'Refused')
        refusals.push(textOfThrown(error))
      }
    }
    throw new InsufficientCapacityError(
      `${[...new Set(refusals)].join('; ')}; raise the quota of the project, or allow other instance types and zones`,
    )
  }

  /**
   * Checks that no earlier request for the claim can still create a server. An earlier process may have sent such a request right before it
   * ended.
   *
   * @throws CreateError until the API would list such a server
   */
  #mayRequest({ metadata }: NodeClaim): void {
    const { clock } = this.#deps
    const since = this.lead()
    // Creation times have a resolution of one second.
    const isOlder = (parseTime(metadata.creationTimestamp) ?? 0) <= since
    const isEarly = isOlder && clock.now() - since < LIST_LAG
    if (isEarly || this.#unanswered.get(metadata.uid ?? '') !== undefined)
      throw new CreateError(
        'LaunchUnconfirmed',
        'an earlier request may have created a server that is not listed yet; Kerf looks for it before it creates another one',
      )
  }

  async #post({ metadata }: NodeClaim, request: ServerRequest, signal: AbortSignal): Promise<string> {
    const uid = metadata.uid ?? ''
    // After an abort, it is also unknown whether Bizfly Cloud creates the server.
    this.#unanswered.set(uid, true)
    try {
      const task = await this.#deps.api.launchServer(request, signal)
      if (task === undefined)
        throw new CreateError(
          'LaunchUnconfirmed',
          'Bizfly Cloud accepted the request without naming a task; Kerf looks for the server',
        )
      this.#unanswered.delete(uid)
      return task
    } catch (error) {
      // Any failure kind other than `server` means that Bizfly Cloud created nothing.
      if (!(error instanceof CreateError) && failureKind(error) !== 'server') this.#unanswered.delete(uid)
      throw error
    }
  }

  /** Waits until a creation has ended. */
  async #created(claim: NodeClaim, { task, request, option }: Pending, signal: AbortSignal): Promise<Server> {
    const { api, clock } = this.#deps
    const until = clock.monotonic() + ASK_FOR
    for (;;) {
      const { ready, result } = await api.task(task, signal).catch((error: unknown) => this.#unknownTask(error, signal))
      const { success = false, id = '' } = result ?? {}
      if (ready && success && id !== '') return createdServer(request, { ...result, id }, clock.now())
      const isLast = clock.monotonic() >= until
      // A task may end without an ID, and the API may delete tasks. Kerf then finds the server by the name of the claim.
      const [found] = ready || isLast ? await this.earlier(claim, signal) : []
      if (ready && !success)
        throw await this.#failure(claim, offeringCoordinates(option.type, option.offering), id, signal)
      if (found !== undefined) return found
      if (isLast)
        throw new CreateError(
          'LaunchUnconfirmed',
          `Bizfly Cloud has accepted the server and does not name it yet (task ${task}); Kerf asks again`,
        )
      await sleep(clock, ASK_EVERY, signal)
    }
  }

  /** Deletes the remains of a failed creation, and returns the error for the launch. Bizfly Cloud does not report why a creation failed. */
  async #failure(
    { metadata }: NodeClaim,
    offering: OfferingPattern,
    id: string,
    signal: AbortSignal,
  ): Promise<InsufficientCapacityError> {
    this.#pending.delete(metadata.uid ?? '')
    this.#deps.unavailable.mark(offering, 'CreationFailed')
    const pause = this.#pause.failed()
    if (pause !== undefined) this.#deps.unavailable.mark({}, 'CreationsFail', pause)
    if (id !== '') await this.#discard(id, signal)
    return new InsufficientCapacityError(
      `Bizfly Cloud accepted the server and then failed to create it without a reason; look at the tasks of the project in the console`,
    )
  }

  /** Handles a failed query of a task. After such a failure, it is unknown whether Bizfly Cloud creates the server. */
  #unknownTask(error: unknown, signal: AbortSignal): { readonly ready: false; readonly result?: undefined } {
    signal.throwIfAborted()
    const cause = toStepCause(error)
    this.#deps.log.debug('cannot read the task of a creation', { error: cause?.message ?? textOfThrown(error) })
    return { ready: false }
  }

  async #discard(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.servers.terminate(id, signal)
    } catch (error) {
      signal.throwIfAborted()
      // Garbage collection retries the deletion.
      this.#deps.log.info('a server that could not be created is not deleted yet', { error: textOfThrown(error) })
    }
  }
}
