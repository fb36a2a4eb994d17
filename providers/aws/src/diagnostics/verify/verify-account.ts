import { labels, type NodeClaim, ProblemError } from '@kerf/apis'
import { type InstanceView, isNodeClaimNotFound } from '@kerf/provider-contract'
import type { CheckResult } from '@kerf/provider-kit/terminal'
import { type Clock, type Logger, type Random, sleep, textOfThrown } from '@kerf/runtime'
import type { AwsApi } from '../../api/aws-api.ts'
import type { Leftovers } from '../../api/leftovers.ts'
import type { AwsProvider } from '../../aws-provider.ts'
import type { ChosenTypes } from './cheap-types.ts'
import { cleanUp, findRemains, isNothing, type Remains, remainsText } from './clean-up.ts'
import { recordedApi, recordedLeftovers } from './recorded-api.ts'
import type { Transcript } from './transcript.ts'
import { until, VerifyCluster } from './verify-cluster.ts'
import type { VerifyTarget } from './verify-plan.ts'

export interface VerifyDeps {
  readonly api: AwsApi
  readonly leftovers: Leftovers
  readonly clock: Clock
  readonly batchClock?: Clock
  readonly random: Random
  readonly log: Logger
  readonly target: VerifyTarget
  readonly chosen: ChosenTypes
  readonly transcript: Transcript
  /** Called with each result as soon as it is available. */
  readonly onResult: (result: CheckResult) => void
}

export interface VerifyReport {
  readonly results: readonly CheckResult[]
  /** The resources that remain after the clean-up. Empty if everything was removed. */
  readonly remains: Remains
  readonly problems: readonly string[]
}

const GONE_WITHIN = 600_000
const SETTLE = 5_000
const NEVER = new AbortController().signal

/**
 * Returns an EC2 client that falsely lists an instance type as available in a zone. As a result, Kerf requests an offering that EC2 must
 * refuse.
 */
const withOffering = (ec2: AwsApi['ec2'], extra: ChosenTypes['refused']): AwsApi['ec2'] => {
  if (extra === undefined) return ec2
  const describeInstanceTypeOfferings: AwsApi['ec2']['describeInstanceTypeOfferings'] = async (signal) => [
    ...(await ec2.describeInstanceTypeOfferings(signal)),
    { InstanceType: extra.type as 'm5.large', Location: extra.zone, LocationType: 'availability-zone' },
  ]
  return new Proxy(ec2, {
    get: (target, key) => {
      if (key === 'describeInstanceTypeOfferings') return describeInstanceTypeOfferings
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

const instanceText = ({ providerID, labels: of }: InstanceView): string =>
  `${of[labels.instanceType]} in ${of[labels.zone]}, ${of[labels.capacityType]} (${providerID.split('/').at(-1)})`

/** One verification run in an account, with its steps and results. */
class Verification {
  readonly results: CheckResult[] = []
  readonly #deps: VerifyDeps
  readonly #cluster: VerifyCluster
  readonly #signal: AbortSignal

  constructor(deps: VerifyDeps, cluster: VerifyCluster, signal: AbortSignal) {
    this.#deps = deps
    this.#cluster = cluster
    this.#signal = signal
  }

  /**
   * Runs all steps.
   * @throws only the abort reason
   */
  async run(): Promise<void> {
    const isReady = await this.#check('the selectors of the EC2NodeClass match resources', async () => {
      await this.#cluster.ready(this.#signal)
      return 'subnets, security groups, image and instance profile; a dry run of a launch is allowed'
    })
    if (!isReady) return
    const { types } = this.#deps.chosen
    const onDemand = await this.#launch('an on-demand instance is launched', 'verify-on-demand', [
      { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      { key: labels.instanceType, operator: 'In', values: [...types] },
    ])
    if (onDemand !== undefined) await this.#again(onDemand)
    const spot = await this.#launch('a spot instance is launched', 'verify-spot', [
      { key: labels.capacityType, operator: 'In', values: ['spot'] },
      { key: labels.instanceType, operator: 'In', values: [...types] },
    ])
    if (spot !== undefined) await this.#broken(spot)
    await this.#refused()
    if (onDemand !== undefined) await this.#deleted(onDemand)
    await this.#check('launch templates and the instance profile are deleted with the EC2NodeClass', async () => {
      if (!(await this.#cluster.retire(this.#signal)))
        throw new ProblemError('its finalizer still exists after five minutes')
      return 'the controllers removed the finalizer'
    })
  }

  /**
   * Runs one check and records its result.
   * @returns whether it passed
   */
  async #check(check: string, work: () => Promise<string>): Promise<boolean> {
    this.#deps.transcript.step(check)
    let result: CheckResult
    try {
      result = { check, outcome: 'passed', seen: await work() }
    } catch (error) {
      this.#signal.throwIfAborted()
      result = { check, outcome: 'failed', seen: textOfThrown(error) }
    }
    this.results.push(result)
    this.#deps.onResult(result)
    return result.outcome === 'passed'
  }

  async #launch(
    check: string,
    name: string,
    requirements: NodeClaim['spec']['requirements'],
  ): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView } | undefined> {
    let launched: { readonly claim: NodeClaim; readonly view: InstanceView } | undefined
    await this.#check(check, async () => {
      const claim = await this.#cluster.claim(name, requirements)
      const view = await this.#cluster.provider.create(claim, this.#signal)
      launched = { claim, view }
      // EC2 may list a new instance with a delay.
      const isListed = await until(this.#deps.clock, 60_000, this.#signal, async () =>
        (await this.#cluster.provider.list(this.#signal)).some(({ providerID }) => providerID === view.providerID),
      )
      if (!isListed)
        throw new ProblemError(`${instanceText(view)}: it is not in the list of Kerf's instances after a minute`)
      return instanceText(view)
    })
    return launched
  }

  /** Repeats a launch with a restarted provider, as after a crash before the NodeClaim's status was updated. */
  async #again({ claim, view }: { readonly claim: NodeClaim; readonly view: InstanceView }): Promise<void> {
    await this.#check('a second request after a restart returns the same instance', async () => {
      const restarted: AwsProvider = this.#cluster.restarted()
      const again = await restarted.create(claim, this.#signal)
      if (again.providerID !== view.providerID)
        throw new ProblemError(`it is a different instance: ${again.providerID.split('/').at(-1)}`)
      return instanceText(again)
    })
  }

  /** Terminates an instance without Kerf, as its operating system, a user or EC2 may do. */
  async #broken({ claim, view }: { readonly claim: NodeClaim; readonly view: InstanceView }): Promise<void> {
    await this.#check(
      'a spot instance that is terminated externally is noticed, and its deletion succeeds',
      async () => {
        const id = view.providerID.split('/').at(-1) ?? ''
        await recordedApi(this.#deps.api, this.#deps.transcript).ec2.terminateInstances([id], this.#signal)
        const { provider } = this.#cluster
        const seen = { ...claim, status: { ...claim.status, providerID: view.providerID } }
        await this.#untilGone(seen)
        const listed = (await provider.list(this.#signal)).some(
          ({ providerID, deletionTimestamp }) => providerID === view.providerID && deletionTimestamp === undefined,
        )
        if (listed) throw new ProblemError(`${id} is still listed as running`)
        return `Kerf no longer lists ${id}`
      },
    )
  }

  async #refused(): Promise<void> {
    const check = 'EC2 rejects a type in a zone that does not offer it, and Kerf reports it'
    const { refused } = this.#deps.chosen
    if (refused === undefined) {
      const result: CheckResult = { check, outcome: 'skipped', seen: 'every zone of the region has every type' }
      this.results.push(result)
      this.#deps.onResult(result)
      return
    }
    await this.#check(check, async () => {
      const claim = await this.#cluster.claim('verify-refused', [
        { key: labels.instanceType, operator: 'In', values: [refused.type] },
        { key: labels.zone, operator: 'In', values: [refused.zone] },
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      ])
      const outcome = await this.#cluster.provider.create(claim, this.#signal).then(
        (view) => ({ view }),
        (error: unknown) => ({ error }),
      )
      this.#signal.throwIfAborted()
      if ('view' in outcome) throw new ProblemError(`EC2 launched it: ${instanceText(outcome.view)}`)
      if (this.#deps.transcript.made('createFleet') === 0)
        throw new ProblemError(`Kerf did not call EC2: ${textOfThrown(outcome.error)}`)
      return `${refused.type} in ${refused.zone}: EC2 returned ${this.#deps.transcript.codes.join(', ')}; Kerf: ${textOfThrown(outcome.error)}`
    })
  }

  async #deleted({ claim, view }: { readonly claim: NodeClaim; readonly view: InstanceView }): Promise<void> {
    await this.#check('an instance that Kerf deletes is terminated', async () => {
      await this.#untilGone({ ...claim, status: { ...claim.status, providerID: view.providerID } })
      return `${view.providerID.split('/').at(-1)} is gone`
    })
  }

  /** Calls `delete` for the instance until it is gone, as the termination controller does. */
  async #untilGone(claim: NodeClaim): Promise<void> {
    const isGone = async (): Promise<boolean> => {
      try {
        await this.#cluster.provider.delete(claim, this.#signal)
      } catch (error) {
        if (isNodeClaimNotFound(error)) return true
        throw error
      }
      await sleep(this.#deps.clock, SETTLE, this.#signal)
      return false
    }
    if (!(await until(this.#deps.clock, GONE_WITHIN, this.#signal, isGone)))
      throw new ProblemError(`it still exists after ${GONE_WITHIN / 60_000} minutes`)
  }
}

/**
 * Launches, interrupts and deletes instances in the account, and always cleans up. An abort signal ends the steps but not the
 * clean-up. If the controllers fail to remove something, a check fails and the clean-up removes it.
 */
export const verifyAccount = async (deps: VerifyDeps, signal: AbortSignal): Promise<VerifyReport> => {
  const { transcript, clock, target, onResult } = deps
  const api = recordedApi(deps.api, transcript)
  const leftovers = recordedLeftovers(deps.leftovers, transcript)
  const own = { api, leftovers, clock, region: target.region, run: target.run }
  const cluster = await VerifyCluster.start({
    ...deps,
    api: { ...api, ec2: withOffering(api.ec2, deps.chosen.refused) },
  })
  const run = new Verification(deps, cluster, signal)
  const results: CheckResult[] = run.results
  const report = (result: CheckResult): void => {
    results.push(result)
    onResult(result)
  }
  try {
    await run.run()
  } catch (error) {
    report({
      check: 'the run',
      outcome: 'failed',
      seen: signal.aborted ? 'interrupted' : textOfThrown(error),
    })
  } finally {
    cluster.stop()
  }
  transcript.step('nothing is left')
  // Kerf's controllers have finished, but EC2 may list resources of an instance a little longer.
  let left = await findRemains(own, NEVER)
  if (!signal.aborted)
    await until(clock, 300_000, signal, async () => {
      left = await findRemains(own, NEVER)
      return left.instances.length > 0 || isNothing(left)
    }).catch(() => false)
  if (isNothing(left)) {
    report({ check: 'nothing is left', outcome: 'passed', seen: `no resource has the tag of run ${target.run}` })
    return { results, remains: left, problems: [] }
  }
  if (!signal.aborted)
    report({
      check: 'nothing is left',
      outcome: 'failed',
      seen: `the clean-up must remove:\n${remainsText(left, target.region)}`,
    })
  transcript.step('clean-up')
  return { results, ...(await cleanUp(own, NEVER)) }
}
