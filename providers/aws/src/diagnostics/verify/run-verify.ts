import type { VerbStreams } from '@kerf/provider-contract'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { resultLine } from '@kerf/provider-kit/terminal'
import type { Clock, Logger, Random } from '@kerf/runtime'
import type { AwsApi } from '../../api/aws-api.ts'
import type { Leftovers } from '../../api/leftovers.ts'
import { classifyAwsFailure } from '../../failures/aws-failure.ts'
import { resolveRegion } from '../../installation/install-target.ts'
import { chooseTypes } from './cheap-types.ts'
import { cleanUp, isNothing, type Remains, remainsText } from './clean-up.ts'
import { findTarget } from './find-target.ts'
import { Redaction } from './redaction.ts'
import { Transcript } from './transcript.ts'
import { verifyAccount } from './verify-account.ts'
import { planText, verifyClusterName } from './verify-plan.ts'

export interface VerifyOptions {
  readonly region?: string
  readonly nodeRoleName?: string
  readonly subnetId: readonly string[]
  readonly securityGroupId: readonly string[]
  readonly kubernetesVersion: string
  readonly transcript?: string
  readonly yes?: boolean
  /** The id of the run whose remaining resources are to be removed. */
  readonly cleanUp?: string
  /** A transcript to compare with the fake. */
  readonly againstFake?: string
}

/** The external dependencies of `kerf aws verify`. */
export interface VerifyDeps {
  readonly clock: Clock
  readonly batchClock?: Clock
  readonly random: Random
  readonly log: Logger
  /** Returns AWS clients with the credentials of the user. */
  api(region: string): AwsApi
  leftovers(region: string): Leftovers
  /** Returns eight random hexadecimal digits that identify a new run. */
  newRun(): string
  readFile(file: string): Promise<string>
  /**
   * Creates a file and returns a function that appends to it synchronously. So the file contains all completed calls, even if the process
   * is killed.
   */
  openFile(file: string): (text: string) => void
  /** Asks the user for confirmation. Undefined without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
  readonly signal: AbortSignal
  readonly version: string
}

const RUN = /^[0-9a-f]{8}$/

const leftText = (remains: Remains, problems: readonly string[], region: string, run: string): string =>
  `left in the account, with the commands that remove it:\n${remainsText(remains, region)}` +
  problems.map((problem) => `  (${problem})\n`).join('') +
  `or run: kerf aws verify --clean-up ${run} --region ${region}\n`

const compare = async (
  file: string,
  streams: Pick<VerbStreams, 'stdout' | 'env'>,
  deps: VerifyDeps,
): Promise<number> => {
  const [{ fakeCalls }, { compareTranscripts, comparisonText, isFakeWrong }, { readTranscript }] = await Promise.all([
    import('./against-fake.ts'),
    import('./compare.ts'),
    import('./transcript.ts'),
  ])
  const text = await deps.readFile(file)
  let calls: ReturnType<typeof readTranscript>['calls']
  try {
    calls = readTranscript(text).calls
  } catch (error) {
    throw new UsageError(`--against-fake ${file}: ${(error as Error).message}`)
  }
  const comparison = compareTranscripts(calls, await fakeCalls())
  streams.stdout.write(comparisonText(comparison))
  return isFakeWrong(comparison) ? 3 : 0
}

const removeRun = async (
  run: string,
  region: string,
  streams: Pick<VerbStreams, 'stdout' | 'env'>,
  deps: VerifyDeps,
): Promise<number> => {
  if (!RUN.test(run))
    throw new UsageError(`--clean-up ${run} is not a run ID: it has eight hexadecimal digits, as printed by a run`)
  const forRun = { api: deps.api(region), leftovers: deps.leftovers(region), clock: deps.clock, region, run }
  const { remains, problems } = await cleanUp(forRun, deps.signal)
  const isDone = isNothing(remains)
  streams.stdout.write(
    isDone ? `no resources of run ${run} are left in ${region}\n` : leftText(remains, problems, region, run),
  )
  return isDone ? 0 : 1
}

/**
 * Runs `kerf aws verify`. It prints what it will do in the account and what that costs, waits for confirmation, performs the checks, cleans
 * up, and writes a transcript without account data. With `--against-fake`, it compares a transcript with the fake of our tests, without
 * calls to AWS.
 * @returns the exit code: 0 if all checks passed and nothing is left, 1 if something is left or the run was interrupted, 3 if a check
 * failed or the fake is wrong
 * @throws UsageError for wrong flags; CliError if the account cannot be used, before anything was created
 */
export const runVerify = async (
  options: VerifyOptions,
  streams: Pick<VerbStreams, 'stdout' | 'env'>,
  deps: VerifyDeps,
): Promise<number> => {
  if (options.againstFake !== undefined) return compare(options.againstFake, streams, deps)
  const region = resolveRegion(options, streams.env)
  if (options.cleanUp !== undefined) return removeRun(options.cleanUp, region, streams, deps)
  const { nodeRoleName } = options
  if (nodeRoleName === undefined)
    throw new UsageError(
      '--node-role-name is missing: the IAM role of the instances, for example the role of your nodes',
    )
  if (deps.confirm === undefined && options.yes !== true)
    throw new UsageError(
      'cannot ask for confirmation without a terminal: run it in a terminal to see what it will do, or set --yes',
    )
  const api = deps.api(region)
  const { signal } = deps
  const found = await (async () => {
    try {
      const identity = await api.sts.callerIdentity(signal)
      const run = deps.newRun()
      const { target, zones } = await findTarget(api.ec2, { ...options, region, run, nodeRoleName }, signal)
      const chosen = await chooseTypes(api.ec2, { region, zones, clock: deps.clock }, signal)
      return { identity, target, chosen }
    } catch (error) {
      if (error instanceof UsageError || error instanceof CliError) throw error
      const { code, message } = classifyAwsFailure(error)
      throw new CliError(`cannot call AWS in ${region} (${code}: ${message}); check the region and your credentials`)
    }
  })()
  const { identity, target, chosen } = found
  const [cheap] = chosen.types
  if (cheap === undefined)
    throw new CliError(`none of the small instance types is offered in the zones of ${target.subnetIds.join(', ')}`)
  const refused = chosen.refused === undefined ? undefined : `${chosen.refused.type} in ${chosen.refused.zone}`
  streams.stdout.write(`${planText(target, { type: cheap, price: chosen.price, refused }, identity.account)}\n`)
  if (options.yes !== true && (await deps.confirm?.('Continue? Type yes: ')) !== true) {
    streams.stdout.write('nothing was done\n')
    return 1
  }
  const file = options.transcript ?? `kerf-aws-verify-${target.run}.jsonl`
  const names = [nodeRoleName, identity.account, identity.arn]
  const transcript = new Transcript(
    { transcript: 'kerf aws verify', format: 1, kerf: deps.version, region },
    new Redaction(names),
    deps.openFile(file),
  )
  const onAbort = (): void => {
    streams.stdout.write(
      `stopping: ${verifyClusterName(target.run)} is being cleaned up; if you do not wait, run later: kerf aws verify --clean-up ${target.run} --region ${region}\n`,
    )
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const { results, remains, problems } = await verifyAccount(
      {
        ...{ api, leftovers: deps.leftovers(region), clock: deps.clock, random: deps.random, log: deps.log },
        ...(deps.batchClock === undefined ? {} : { batchClock: deps.batchClock }),
        ...{ target, chosen, transcript },
        onResult: (result) => void streams.stdout.write(`${resultLine(result)}\n`),
      },
      signal,
    )
    const isClean = isNothing(remains)
    if (!isClean) streams.stdout.write(leftText(remains, problems, region, target.run))
    streams.stdout.write(
      `\n${transcript.calls} calls are in ${file}; account IDs, names and addresses are replaced. Read it before you share it.\n`,
    )
    // Remaining resources and interruptions determine the exit code even if checks failed.
    if (!isClean || signal.aborted) return 1
    return results.every(({ outcome }) => outcome !== 'failed') ? 0 : 3
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
