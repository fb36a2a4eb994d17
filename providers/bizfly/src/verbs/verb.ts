import type { VerbTools } from '@kerf/provider-contract'
import { addVerifyFlags, verifyAction } from '@kerf/provider-kit/command-line'
import type { Command } from 'commander'
import type { VerifyOptions } from '../diagnostics/verify/run-verify.ts'

/** Returns the verb `kerf bizfly`. Its only command reads the account and changes nothing. */
export const bizflyVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    const verify = command
      .command('verify')
      .description(
        'Checks that the account and the cluster have what Kerf needs: credentials, flavors, servers, worker images, and what the BizflyCloudNodeClasses name. Read-only. The settings are those of kerf run, from the environment.\n\nExit code 1: Bizfly Cloud rejected the first call; 3: another check failed.',
      )
    addVerifyFlags(verify).action(
      verifyAction(tools, async (options: VerifyOptions, process) => {
        const [{ runVerify }, { connectBizfly }] = await Promise.all([
          import('../diagnostics/verify/run-verify.ts'),
          import('../api/connect-bizfly.ts'),
        ])
        return runVerify(options, tools.streams, {
          ...process,
          connect: (settings) => connectBizfly(settings, process),
        })
      }),
    )
  }
