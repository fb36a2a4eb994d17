import type { Command } from 'commander'

/** Ends a command line that asks for the permissions of a command, whatever else is missing in it. */
export class PermissionsAsked extends Error {
  /** The ClusterRole as YAML. */
  readonly role: () => Promise<string>

  constructor(role: () => Promise<string>) {
    super('--permissions')
    this.role = role
  }
}

/** `--permissions`, in every verb that reads a cluster. */
export const withPermissions = (command: Command, role: () => Promise<string>): Command =>
  command
    .option('--permissions', 'print a ClusterRole with every permission that this command can use', false)
    .on('option:permissions', () => {
      throw new PermissionsAsked(role)
    })
