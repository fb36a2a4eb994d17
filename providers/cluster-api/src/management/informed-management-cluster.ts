import type { KubeObject, Milliseconds, Node, ResourceKind } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { type Clock, type Informer, type KubeClient, type Logger, type Random, sleep } from '@kerf/runtime'
import type { ClusterApiVersion } from '../objects/api-version.ts'
import type { Cluster } from '../objects/cluster.ts'
import { type ClusterApiKinds, clusterApiKinds } from '../objects/kinds.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MachineSet } from '../objects/machine-set.ts'
import { AskedPermissions } from './asked-permissions.ts'
import { readDeployment } from './deployment-reads.ts'
import { discoverVersion } from './discovery.ts'
import type { GrantedPermissions, ManagementResource } from './granted-permissions.ts'
import {
  type FreshDeployment,
  type ManagementChange,
  type ManagementCluster,
  type NamespacedName,
  UNREACHABLE_AFTER,
} from './management-cluster.ts'
import { describeManagementProblem, type ManagementProblem } from './management-problem.ts'
import { updateInstead } from './merge-patches.ts'
import { Mirrors } from './mirrors.ts'
import { findOwnCluster, type OwnClusterFinding } from './own-cluster.ts'
import { managementProblems } from './problems.ts'
import { REPORTED_AFTER, type Reachability, ReachabilityRecord } from './reachability.ts'

export interface ManagementClusterOptions {
  /** The client of the management cluster. */
  readonly client: KubeClient
  /** The source of the connection, for example `CLUSTER_API_URL`, for messages. */
  readonly origin: string
  /** The Nodes of the cluster that Kerf manages. */
  readonly nodes: Informer<Node>
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** `CLUSTER_API_CLUSTER`. If absent, our own Cluster is determined from provider IDs. */
  readonly cluster?: NamespacedName
  /** Closes the connections of the client after `run` has ended. */
  readonly close?: () => Promise<void>
}

/** The interval between attempts to discover the API and our own Cluster, and to contact an API server that does not answer. */
const ASK_AGAIN = 15_000
/**
 * Resources that Kerf can work without. Kerf tracks their permissions itself, because an informer retries a refused list only every five
 * minutes.
 */
const OPTIONAL: readonly ManagementResource[] = ['machinesets', 'clusters']
/** How often Kerf checks during a start whether the state is known. */
const LOOK_AGAIN = 100
/** Bookmarks arrive about every minute. After this time without events, one call checks whether the API server is reachable. */
const SILENCE = 150_000

/** A management cluster with four informers and a few additional reads. While idle, it makes no calls. */
export class InformedManagementCluster implements ManagementCluster {
  readonly client: KubeClient
  readonly origin: string
  readonly #options: ManagementClusterOptions
  readonly #record: ReachabilityRecord
  readonly #permissions: AskedPermissions
  readonly #listeners = new Set<(change: ManagementChange) => void>()
  #version: ClusterApiVersion | undefined
  #isServed: boolean | undefined
  /** Set when a list or watch found that its kind is not served, because the API server may serve another version now. */
  #discoveryIsDue = false
  #ownCluster: OwnClusterFinding | undefined
  #mirrors: Mirrors | undefined
  #reported: readonly string[] = []
  /** Resources that Kerf could not list because of a missing permission. */
  readonly #refused = new Set<ManagementResource>()
  /** Aborted when Kerf gets the permission to list one of these resources. */
  #granted = new AbortController()

  constructor(options: ManagementClusterOptions) {
    this.#options = options
    this.origin = options.origin
    if (options.cluster !== undefined) this.#ownCluster = { kind: 'proved', cluster: options.cluster }
    this.#record = new ReachabilityRecord(options.clock, {
      changed: () => this.#review(),
      forbidden: ({ verb, kind }) => this.#permissions.refuse(verb, kind.plural),
      notServed: () => {
        this.#discoveryIsDue = true
      },
    })
    this.client = this.#record.observed(options.client)
    this.#permissions = new AskedPermissions(this.client, options.clock, options.log, () => this.#reviewPermissions())
  }

  /** Reads the management cluster, and keeps the cached state up to date until aborted. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        if (!(await this.#discover(signal)) || !(await this.#proveOwnCluster(signal))) {
          await this.#pause(signal)
        } else await this.#mirror(signal)
      }
    } finally {
      this.#record.close()
      await this.#options.close?.()
    }
  }

  /** Whether the read methods can return results now. */
  get isKnown(): boolean {
    return this.wasKnown && !this.#record.isAwayFor(UNREACHABLE_AFTER)
  }

  /**
   * Whether the read methods could return results at any time since the start. If the management cluster cannot be reached now, the
   * problems report that.
   */
  get wasKnown(): boolean {
    return this.#mirrors?.hasSynced === true
  }

  /** Resolves once the read methods can return results, or after `limit`. */
  async knownWithin(limit: Milliseconds, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const end = clock.monotonic() + limit
    while (!this.isKnown && !signal.aborted && clock.monotonic() < end)
      await sleep(clock, LOOK_AGAIN, signal).catch(() => {})
  }

  get kinds(): ClusterApiKinds {
    if (this.#version === undefined) throw this.#notKnown('which version of Cluster API it serves')
    return clusterApiKinds(this.#version)
  }

  get ownCluster(): NamespacedName {
    if (this.#ownCluster?.kind === 'proved') return this.#ownCluster.cluster
    throw this.#notKnown('which of its Clusters is the cluster of Kerf')
  }

  get reachability(): Reachability {
    return this.#record.current
  }

  get permissions(): GrantedPermissions {
    return this.#permissions
  }

  deployments(): readonly MachineDeployment[] {
    return this.#synced().deployments.all()
  }

  deployment(name: NamespacedName): MachineDeployment | undefined {
    return this.#synced().deployments.named(name)
  }

  clusters(): readonly Cluster[] {
    const { clusters } = this.#synced()
    if (!clusters.hasSynced) throw this.#notKnown('which Clusters it has')
    return clusters.all()
  }

  machines(): readonly Machine[] {
    return this.#synced().machines.all()
  }

  machine(name: NamespacedName): Machine | undefined {
    return this.#synced().machines.named(name)
  }

  machinesWith(providerId: string): readonly Machine[] {
    return this.#synced().machinesWith(providerId)
  }

  machinesTakenBy(claimUid: string): readonly Machine[] {
    return this.#synced().machinesTakenBy(claimUid)
  }

  machinesOf(deployment: NamespacedName): readonly Machine[] {
    return this.#synced().machinesOf(deployment)
  }

  machineSetsOf(deployment: NamespacedName): readonly MachineSet[] {
    const mirrors = this.#synced()
    // Without this permission, the method returns no MachineSets, as `fresh` does. `problems` reports the missing permission.
    if (this.#permissions.may('list', 'machinesets') === false) return []
    if (!mirrors.sets.hasSynced) throw this.#notKnown('which MachineSets it has')
    return mirrors.setsOf(deployment)
  }

  async fresh(deployment: NamespacedName, signal: AbortSignal): Promise<FreshDeployment | undefined> {
    return await readDeployment(this.client, this.kinds, deployment, signal)
  }

  async patch<T extends KubeObject>(
    kind: ResourceKind<T>,
    name: NamespacedName,
    body: object,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.#permissions.mustUpdate(kind.plural)) return await updateInstead(this.client, kind, name, body, signal)
    return await this.client.patch(kind, name, { type: 'merge', body }, { signal })
  }

  problems(): readonly ManagementProblem[] {
    const clusters = this.#mirrors?.clusters
    const { cluster } = this.#options
    const isMissing = cluster !== undefined && clusters?.hasSynced === true && clusters.named(cluster) === undefined
    return managementProblems(this.origin, {
      reachability: this.#record.isAwayFor(REPORTED_AFTER) ? this.#record.current : { kind: 'unknown' },
      isServed: this.#isServed,
      ownCluster: this.#ownCluster,
      missingCluster: isMissing ? { cluster, known: clusters.all() } : undefined,
      missingPermissions: this.#permissions.missing(),
    })
  }

  onChange(listener: (change: ManagementChange) => void): () => void {
    this.#listeners.add(listener)
    this.#mirrors?.forEach(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns true once the version is known. */
  async #discover(signal: AbortSignal): Promise<boolean> {
    try {
      this.#version = await discoverVersion(this.client, signal)
      this.#isServed = this.#version !== undefined
      this.#discoveryIsDue = false
      this.#review()
    } catch (error) {
      if (!signal.aborted) this.#options.log.debug('discovery of Cluster API failed, retrying', { error })
    }
    return this.#version !== undefined
  }

  /** Returns true once our own Cluster is known. After that, the result never changes. */
  async #proveOwnCluster(signal: AbortSignal): Promise<boolean> {
    if (this.#ownCluster?.kind === 'proved') return true
    const { nodes, log } = this.#options
    try {
      await nodes.synced(signal)
      const { Machine } = this.kinds
      const { items } = await this.client.list(Machine, { signal })
      const machines = items.map((item) => readMachine({ ...item, apiVersion: `${Machine.group}/${Machine.version}` }))
      this.#ownCluster = findOwnCluster(nodes.values(), machines)
      if (this.#ownCluster.kind === 'proved')
        log.info('found the Cluster object of this cluster', { ...this.#ownCluster.cluster })
      this.#review()
    } catch (error) {
      if (!signal.aborted) log.debug('finding the Cluster object of this cluster failed, retrying', { error })
    }
    return this.#isProved
  }

  get #isProved(): boolean {
    return this.#ownCluster?.kind === 'proved'
  }

  /** Runs the informers until the signal is aborted, the API server serves another version, or Kerf may read more resources. */
  async #mirror(signal: AbortSignal): Promise<void> {
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal, this.#granted.signal])
    const { cluster, log: logger, clock, random } = this.#options
    const version = this.#version
    const mirrors = new Mirrors(
      { client: this.client, clock, random, logger },
      { kinds: this.kinds, ownCluster: this.ownCluster, oneNamespace: cluster !== undefined },
    )
    this.#mirrors = mirrors
    mirrors.start(until, (change) => this.#report(change))
    const asking = this.#permissions.run(cluster?.namespace, until)
    while (!until.aborted && this.#version === version) {
      await this.#pause(until)
      this.#review()
      if (this.#mustAsk()) await this.#discover(signal)
    }
    this.#mirrors = undefined
    this.#refused.clear()
    this.#granted = new AbortController()
    ending.abort()
    await asking
  }

  #mustAsk(): boolean {
    return this.#discoveryIsDue || this.#record.isAwayFor(0) || this.#record.silentFor() > SILENCE
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await sleep(this.#options.clock, ASK_AGAIN, signal).catch(() => {})
  }

  /** Returns the informers once they are reliable. */
  #synced(): Mirrors {
    if (this.#mirrors === undefined || !this.isKnown) throw this.#notKnown('which objects it has')
    return this.#mirrors
  }

  #notKnown(what: string): NotKnownYetError {
    const problems = this.problems().map((problem) => `: ${describeManagementProblem(problem)}`)
    return new NotKnownYetError(`management cluster (${this.origin}): it is not known yet ${what}${problems[0] ?? ''}`)
  }

  #reviewPermissions(): void {
    const mayRead = (resource: ManagementResource): boolean =>
      this.#permissions.may('list', resource) !== false && this.#permissions.may('watch', resource) !== false
    for (const resource of OPTIONAL) if (!mayRead(resource)) this.#refused.add(resource)
    if ([...this.#refused].some(mayRead)) this.#granted.abort()
    this.#review()
  }

  /** Updates the problems, and logs new and solved ones. */
  #review(): void {
    const texts = this.problems().map(describeManagementProblem)
    if (texts.length === this.#reported.length && texts.every((text, index) => text === this.#reported[index])) return
    for (const problem of texts.filter((text) => !this.#reported.includes(text))) this.#options.log.warn(problem)
    for (const problem of this.#reported.filter((text) => !texts.includes(text)))
      this.#options.log.info('a problem of the management cluster is resolved', { problem })
    this.#reported = texts
    this.#report({ kind: 'problems' })
  }

  #report(change: ManagementChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        this.#options.log.error('listener failed', { error })
      }
    }
  }
}
