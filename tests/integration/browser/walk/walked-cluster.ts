import { noVocabulary } from '@kerf/apis'
import type { LocalController } from '@kerf/dashboard'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import {
  bearer,
  type Connection,
  defaultFeatureGates,
  fixedCredentials,
  type KubeClient,
  SeededRandom,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { type ApiCall, type Interceptor, SandboxApi, SandboxServer } from '@kerf/sandbox'
import { Session } from '../../../../packages/cli/src/up/session.ts'

/** A cluster whose clock has stopped, so that the numbers on a page equal the numbers of objects in the API server. */
export interface WalkedCluster {
  readonly client: KubeClient
  readonly connection: Connection
  /** Returns Kerf's responses on its metrics port. A test decides whether a page gets them. */
  readonly controller: LocalController
  /** The time at which the clock stopped, in milliseconds. */
  readonly now: number
  close(): Promise<void>
}

/** How far the clock advances in each step, in milliseconds. */
const STEP = 10
/** The maximum number of steps. The informers need some of them to read the cluster. */
const MOST_STEPS = 500
const READS: ReadonlySet<ApiCall['verb']> = new Set(['get', 'list', 'watch', 'raw'])

/**
 * Opens a sandbox and fills it with `fill` during the time before `end`. Kerf has read the cluster, but the clock stops before Kerf acts.
 */
export const openWalkedCluster = async (
  end: number,
  before: number,
  fill: (client: KubeClient, clock: VirtualClock) => Promise<void>,
): Promise<WalkedCluster> => {
  const clock = new VirtualClock({ start: end - before })
  const random = new SeededRandom(1)
  const api = new SandboxApi({ clock, random: random.fork('sandbox') })
  const client = api.client()
  // Kerf can read the cluster but not write to it, so that objects keep their unusual states.
  const held: Interceptor = {
    before: ({ verb }) => {
      if (isFilled && !READS.has(verb)) throw new Error('held')
    },
  }
  let isFilled = false
  const session = new Session({
    cluster: {
      ...{
        name: 'walked',
        clock,
        random: random.fork('kerf'),
        client: api.client({ interceptor: held }),
        kubeconfig: '',
        disposable: true,
      },
      playsKubelets: true,
      close: async () => {},
    },
    logger: silentLogger,
    instanceTypes: await loadInstanceTypes(),
    labels: noVocabulary,
    featureGates: defaultFeatureGates,
    onDecision: () => {},
  })
  const { signal } = new AbortController()
  await clock.advanceUntilDone(session.prepare(signal), STEP)
  await fill(client, clock)
  await clock.advance(Math.max(0, end - clock.now()))
  isFilled = true
  session.start()
  const hasRead = async (): Promise<boolean> => (await session.answer('/kerf/v1/instance-types', signal)) !== undefined
  for (let step = 0; !(await hasRead()); step++) {
    if (step === MOST_STEPS) throw new Error('Kerf has not read the cluster')
    await clock.advance(STEP)
  }
  const server = await SandboxServer.start(api)
  return {
    client,
    connection: {
      server: `${server.url}/${server.token}`,
      tls: {},
      credentials: fixedCredentials({ authorization: bearer(server.token) }),
      origin: 'walked',
    },
    controller: {
      metrics: () => session.metrics(),
      answer: (path, stop) => session.answer(path, stop),
    },
    now: clock.now(),
    close: async () => {
      await server.close()
      await clock.advanceUntilDone(session.stop(), STEP)
    },
  }
}
