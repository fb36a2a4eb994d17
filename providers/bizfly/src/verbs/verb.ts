import type { NamedCluster, VerbCluster, VerbTools } from '@kerf/provider-contract'
import { type Command, Option } from 'commander'
import type { VerifyOptions } from '../diagnostics/verify/run-verify.ts'

/** Returns the cluster. A named cluster must exist; the default one may be missing. */
const clusterFor = async (choice: NamedCluster, tools: VerbTools): Promise<VerbCluster | undefined> => {
  try {
    return await tools.connect(choice)
  } catch (error) {
    if (choice.kubeconfig !== undefined || choice.context !== undefined) throw error
    return undefined
  }
}

/** Returns `kerf bizfly`. Its only command reads the account and changes nothing. */
export const bizflyVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    command
      .command('verify')
      .description(
        'Checks that the account and the cluster have what Kerf needs: credentials, flavors, servers, worker images, and what the BizflyCloudNodeClasses name. Read-only. The settings are those of kerf run, from the environment.\n\nExit code 1: Bizfly Cloud rejected the first call; 3: another check failed.',
      )
      .option('--kubeconfig <file>', 'kubeconfig file of the cluster of the controller')
      .option('--context <name>', 'context of the kubeconfig')
      .addOption(new Option('-o, --output <format>', 'format').choices(['table', 'json']).default('table'))
      .action(async ({ kubeconfig, context, ...options }: VerifyOptions & NamedCluster) => {
        const [{ runVerify }, { connectBizfly }] = await Promise.all([
          import('../diagnostics/verify/run-verify.ts'),
          import('../api/connect-bizfly.ts'),
        ])
        const stop = tools.stopSignals()
        const { clock, random } = await tools.system()
        const cluster = await clusterFor({ kubeconfig, context }, tools)
        const { env } = tools.streams
        try {
          const code = await runVerify(options, tools.streams, {
            ...{ clock, signal: stop.signal, client: cluster?.client },
            connect: (settings) => connectBizfly(settings, { clock, random, env, version: tools.version }),
          })
          tools.setExitCode(code)
        } finally {
          await cluster?.close()
          stop.dispose()
        }
      })
  }
