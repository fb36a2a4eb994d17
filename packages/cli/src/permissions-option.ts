import type { Command } from 'commander'

/** Thrown to stop the parser when the user gives `--permissions`. The command then works even if required flags are missing. */
export class PermissionsAsked extends Error {
  /** The ClusterRole as YAML. */
  readonly role: () => Promise<string>

  constructor(role: () => Promise<string>) {
    super('--permissions')
    this.role = role
  }
}

/** Adds `--permissions`, the flag of every command that reads a cluster. */
export const withPermissions = (command: Command, role: () => Promise<string>): Command =>
  command
    .option('--permissions', 'print a ClusterRole with every permission that this command can use', false)
    .on('option:permissions', () => {
      throw new PermissionsAsked(role)
    })
