import type { VerbTools } from '@kerf/provider-contract'
import { type Command, Option } from 'commander'
import { OPTIONAL_CAPABILITIES } from '../privileges/needed-privileges.ts'
import type { RolesOptions } from './run-roles.ts'

/** Adds the commands of `kerf proxmox`. */
export const proxmoxVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    command
      .command('roles')
      .description(
        'The roles, the user and the API token of the controller, generated from the calls that the code makes, as commands for a hypervisor or as JSON; with --check, the privileges that a token lacks.\n\nExit code 3: the token of --check lacks a privilege.',
      )
      .option('--user <name>', 'user of the controller', 'kerf@pve')
      .option('--token <name>', 'name of its API token', 'kerf')
      .option('--role <name>', 'beginning of the names of the roles', 'Kerf')
      .option(
        '--check <file>',
        'list every privilege that is missing in this output of "pveum user permissions --output-format json"',
      )
      .addOption(
        new Option(
          '--without <capabilities...>',
          'leave out what the cluster does not use: ProxmoxTemplates, or resource pools',
        ).choices(OPTIONAL_CAPABILITIES),
      )
      .addOption(new Option('-o, --output <format>', 'format').choices(['pveum', 'json', 'table']).default('pveum'))
      .action(async (options: RolesOptions) => {
        const { runRoles } = await import('./run-roles.ts')
        tools.setExitCode(await runRoles(options, tools.streams))
      })
  }
