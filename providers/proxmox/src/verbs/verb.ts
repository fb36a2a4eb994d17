import type { VerbTools } from '@kerf/provider-contract'
import { addVerifyFlags, verifyAction } from '@kerf/provider-kit/command-line'
import { type Command, Option } from 'commander'
import type { VerifyOptions } from '../diagnostics/verify/run-verify.ts'
import { OPTIONAL_CAPABILITIES } from '../privileges/needed-privileges.ts'
import type { ProxmoxSettings } from '../settings/proxmox-settings.ts'
import type { RolesOptions } from './run-roles.ts'

const withoutOption = (): Option =>
  new Option(
    '--without <capabilities...>',
    'leave out what the cluster does not use: cloud-init disks, resource pools, or ProxmoxTemplates',
  ).choices(OPTIONAL_CAPABILITIES)

/** Adds the commands of `kerf proxmox`. */
export const proxmoxVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    command
      .command('roles')
      .description(
        'Prints the roles, the user and the API token of the controller, generated from the calls that the code makes, as commands for a hypervisor or as JSON. With --check, lists the privileges that a token lacks.\n\nExit code 3: the token of --check lacks a privilege.',
      )
      .option('--user <name>', 'user of the controller', 'kerf@pve')
      .option('--token <name>', 'name of its API token', 'kerf')
      .option('--role <name>', 'beginning of the names of the roles', 'Kerf')
      .option(
        '--check <file>',
        'list every privilege that is missing in this output of "pveum user permissions --output-format json"',
      )
      .addOption(withoutOption())
      .addOption(new Option('-o, --output <format>', 'format').choices(['pveum', 'json', 'table']).default('pveum'))
      .action(async (options: RolesOptions) => {
        const { runRoles } = await import('./run-roles.ts')
        tools.setExitCode(await runRoles(options, tools.streams))
      })
    const verify = command
      .command('verify')
      .description(
        'Checks that each Proxmox cluster of CLOUD_CONFIG has what Kerf needs: an accepted certificate and token, its privileges, hypervisors, and the templates of the node classes. Read-only. The settings are those of kerf run, from the environment.\n\nExit code 3: a check failed.',
      )
      .addOption(withoutOption())
    addVerifyFlags(verify).action(
      verifyAction(tools, async (options: VerifyOptions, process) => {
        const [{ runVerify }, { connectProxmox }] = await Promise.all([
          import('../diagnostics/verify/run-verify.ts'),
          import('../config/connect-proxmox.ts'),
        ])
        const connect = ({ cloudConfig, nodePolicy }: ProxmoxSettings) =>
          connectProxmox(cloudConfig, { ...process, mustBeRoot: nodePolicy === 'static' })
        return runVerify(options, tools.streams, { ...process, connect })
      }),
    )
  }
