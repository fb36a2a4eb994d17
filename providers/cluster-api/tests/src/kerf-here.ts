import { Kerf, permissionOptions } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import {
  ApiEventRecorder,
  type Clock,
  findConnection,
  HttpKubeClient,
  PrometheusMetrics,
  parseSettings,
  RecordingLogger,
  SharedInformers,
  SystemClock,
  SystemRandom,
} from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import { offlineInstanceTypes, providerNamed } from '../../../../packages/cli/src/providers.ts'
import { processPermissions } from '../../../../packages/cli/src/run/process-permissions.ts'
import { runSettings } from '../../../../packages/cli/src/run/run-settings.ts'
import { labelAliases } from '../../../../packages/cli/src/vocabulary.ts'
import type { KerfAccounts } from './kerf-accounts.ts'

const PROVIDER = 'cluster-api'

/**
 * Starts a Kerf in this process, composed like `kerf run --provider=cluster-api` (`packages/cli/src/run/run-process.ts`), so that the test controls
 * its clock. Calls to the workload cluster take real time.
 */
export const startKerfHere = async (
  accounts: KerfAccounts,
  clock: Clock,
): Promise<{ readonly log: RecordingLogger; stop(): Promise<void> }> => {
  const env = { KERF_PROVIDER: PROVIDER, CLUSTER_API_KUBECONFIG: accounts.managementKubeconfig }
  const { settings } = parseSettings(runSettings, env)
  const [random, log, metrics, real] = [
    new SystemRandom(),
    new RecordingLogger(),
    new PrometheusMetrics(),
    new SystemClock(),
  ]
  const connection = findConnection({ clock: real, env: {}, kubeconfig: accounts.workloadKubeconfig })
  const http = new HttpKubeClient({ connection, clock: real, random, logger: log })
  const client = declaredOnly(http, await processPermissions(PROVIDER), permissionOptions(settings))
  const informers = new SharedInformers({ client, clock, random, logger: log })
  const events = new ApiEventRecorder({ client, clock, random, logger: log })
  const context = { client, informers, clock, random, events, log }
  const { provider, start } = await providerNamed(PROVIDER).create(settings, context, {
    ...{ metrics, connection, env, version: 'test', namespace: 'kube-system' },
    aliases: labelAliases,
    instanceTypes: offlineInstanceTypes,
  })
  const stop = new AbortController()
  await start?.(stop.signal)
  const work = new Kerf({ ...context, provider, settings, metrics }, { schedule: scheduleInSteps }).run({
    stop: stop.signal,
  })
  return {
    log,
    stop: async () => {
      stop.abort(new Error('the story is over'))
      await work
      await events.close()
      await http.close()
    },
  }
}
