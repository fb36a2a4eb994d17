import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  karpenterKinds,
  kinds,
  type Milliseconds,
  type Node,
  type Pod,
  type ResourceKind,
  tryParseDuration,
} from '@kerf/apis'
import type { Output } from '@kerf/provider-contract'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import {
  type ApiError,
  type Clock,
  isForbidden,
  isNotFound,
  type KubeClient,
  type Logger,
  missingKinds,
  type Random,
  SharedInformers,
  sleep,
} from '@kerf/runtime'
import { lostLoginLogger } from '../cluster/lost-login.ts'
import type { Recording } from '../simulate/trace.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { shellWord } from '../terminal/shell-word.ts'
import { type KeptOnRequest, leanPodSpec } from './lean-objects.ts'
import { Recorder, recordedKinds, watchedKinds } from './recorder.ts'
import { writeRecording } from './recording-file.ts'

const SAMPLE_EVERY: Milliseconds = 60_000
/** The timeout for listing the cluster at the beginning. */
const SYNC_TIMEOUT: Milliseconds = 120_000
const MEBIBYTE = 1_048_576

export interface RecordOptions {
  readonly for?: string
  /** The maximum size in MiB. */
  readonly mostSize: number
  /** Free text to record. */
  readonly keep?: readonly KeptOnRequest[]
}

export interface RecordStreams {
  readonly stdout: Output
  readonly stderr: Output
}

/** The connection to the recorded cluster. */
export interface RecordedCluster {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly server: string
}

const needed: readonly ResourceKind[] = [kinds.Pod, kinds.Node, karpenterKinds.NodePool]

/**
 * Returns the resource kinds that the cluster serves and that the user is allowed to list, and the reasons why other kinds are left out.
 */
const readableKinds = async (
  client: KubeClient,
  signal: AbortSignal,
): Promise<{ readonly readable: readonly ResourceKind[]; readonly leftOut: readonly string[] }> => {
  const wanted = [...recordedKinds, ...watchedKinds]
  const missing = new Set(await missingKinds(client, wanted, { signal }))
  const readable: ResourceKind[] = []
  const leftOut: string[] = []
  for (const kind of wanted) {
    const name = `${kind.plural}.${kind.group}`
    const why = missing.has(name) ? 'not served' : await refusal(client, kind, signal)
    if (why === undefined) readable.push(kind)
    else if (needed.includes(kind)) {
      throw new CliError(
        `${kind.plural} cannot be read (${why}); a recording needs permission to list and watch them: grant it, or choose another context`,
      )
    } else leftOut.push(`${kind.plural}: ${why}`)
  }
  return { readable, leftOut }
}

const refusal = async (client: KubeClient, kind: ResourceKind, signal: AbortSignal): Promise<string | undefined> => {
  try {
    await client.list(kind, { limit: 1, signal })
    return undefined
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return error.reason
    throw error
  }
}

/** Returns the pod without the fields that a recording never reads. This saves memory, because the cache may hold thousands of pods. */
const leanPod = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, managedFields: [] },
  spec: { ...leanPodSpec(pod.spec), ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }) },
  status: {
    ...(pod.status?.phase === undefined ? {} : { phase: pod.status.phase }),
    ...(pod.status?.startTime === undefined ? {} : { startTime: pod.status.startTime }),
  },
})

const leanNode = ({ apiVersion, kind, metadata, spec }: Node): Node => ({
  apiVersion,
  kind,
  metadata: { ...metadata, managedFields: [], annotations: {} },
  spec,
})

const informersFor = ({ client, clock, random }: RecordedCluster, logger: Logger): SharedInformers => {
  const informers = new SharedInformers({ client, clock, random, logger })
  informers.configure(kinds.Pod, { project: leanPod })
  informers.configure(kinds.Node, { project: leanNode })
  informers.configure(kinds.Event, { fieldSelector: 'reason=SpotInterrupted' })
  return informers
}

/**
 * Runs `kerf record`: records until the time is over, the file is full or `stop` is aborted. Lists and watches, and changes nothing. The
 * file is updated every minute. It is complete when this function resolves, or when it throws because the credentials have expired.
 * @throws ApiError if the API server refuses the credentials; the file then contains the recording up to that time
 */
export const runRecord = async (
  path: string,
  options: RecordOptions,
  cluster: RecordedCluster,
  streams: RecordStreams,
  stop: AbortSignal,
): Promise<void> => {
  const asked = options.for === undefined ? Number.POSITIVE_INFINITY : tryParseDuration(options.for)
  if (asked === undefined || asked <= 0) throw new UsageError(`--for ${options.for}: not a duration such as 24h or 90m`)
  await access(dirname(path)).catch(() => {
    throw new UsageError(`${path}: directory ${dirname(path)} does not exist; create it first`)
  })
  const progress = new ProgressLine(streams.stderr)
  progress.show(`reading ${cluster.server}`)
  const { readable, leftOut } = await readableKinds(cluster.client, stop)
  for (const line of leftOut) streams.stderr.write(`left out: ${line}\n`)
  const ending = new AbortController()
  const signal = AbortSignal.any([stop, ending.signal])
  let lost: ApiError | undefined
  const informers = informersFor(
    cluster,
    lostLoginLogger((error) => {
      lost = error
      ending.abort(error)
    }),
  )
  for (const kind of readable) informers.of(kind)
  informers.start(signal)
  try {
    await synced(informers, cluster.clock, signal)
    const recorder = new Recorder({
      informers,
      clock: cluster.clock,
      kinds: readable,
      leftOut,
      keep: new Set(options.keep),
      mostBytes: options.mostSize * MEBIBYTE,
      onFull: () => ending.abort(new Error('full')),
    })
    try {
      await record(recorder, path, asked, cluster.clock, signal, progress)
    } finally {
      recorder.stop()
      progress.clear()
    }
    const bytes = await writeRecording(path, recorder.trace('asked'))
    streams.stdout.write(summary(recorder, path, bytes))
    if (lost !== undefined) throw lost
  } finally {
    ending.abort(new Error('the recording is over'))
    await informers.stopped()
  }
}

const synced = async (informers: SharedInformers, clock: Clock, signal: AbortSignal): Promise<void> => {
  const timeout = new AbortController()
  const timer = clock.timer(SYNC_TIMEOUT, () => timeout.abort(new Error('timeout')))
  try {
    await informers.allSynced(AbortSignal.any([signal, timeout.signal]))
  } catch (error) {
    if (signal.aborted || !timeout.signal.aborted) throw error
    throw new CliError(
      `the cluster did not respond within ${SYNC_TIMEOUT / 1_000} s: still waiting for ${informers.unsynced().join(', ')}`,
    )
  } finally {
    timer.cancel()
  }
}

/** Takes a sample and saves the file every minute until the end. */
const record = async (
  recorder: Recorder,
  path: string,
  asked: Milliseconds,
  clock: Clock,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<void> => {
  await writeRecording(path, recorder.trace('under way'))
  while (!signal.aborted && recorder.elapsed < asked) {
    const { objects, events } = recorder.counts
    progress.show(
      `recording since ${Math.round(recorder.elapsed / 60_000)} min: ${objects} objects, ${events} events, ${(recorder.bytes / MEBIBYTE).toFixed(1)} MiB; Ctrl-C stops it`,
    )
    await sleep(clock, Math.min(SAMPLE_EVERY, asked - recorder.elapsed), signal).catch(() => {})
    if (signal.aborted) return
    recorder.sample()
    if (recorder.elapsed < asked) await writeRecording(path, recorder.trace('under way'))
  }
}

const endings: Readonly<Record<Recording['end'], string>> = {
  asked: '',
  full: ' (maximum size reached: --most-size)',
  'under way': '',
}

const summary = (recorder: Recorder, path: string, bytes: number): string => {
  const { objects, events, interruptions } = recorder.counts
  const end = recorder.isFull ? 'full' : 'asked'
  const size = bytes < MEBIBYTE ? `${Math.ceil(bytes / 1_024)} KiB` : `${(bytes / MEBIBYTE).toFixed(1)} MiB`
  return `recorded ${(recorder.elapsed / 60_000).toFixed(1)} min${endings[end]}: ${objects} objects at the start, ${events} events since, ${interruptions} spot interruptions; ${size}\nreplay it: kerf simulate --trace ${shellWord(path)}\n`
}
