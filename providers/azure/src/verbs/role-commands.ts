import { builtInRoles } from '../roles/built-in-roles.ts'
import { azureCapabilities } from '../roles/needed-actions.ts'
import type { RoleAssignment } from '../roles/role-assignments.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the purpose of a role, as a comment. */
export const rolePurpose = ({ capabilities }: Pick<RoleAssignment, 'capabilities'>): string =>
  capabilities.map((name) => azureCapabilities[name]).join('; ')

/** Returns the assignments as Azure CLI commands for a shell. It is safe to repeat each command. */
export const azCommands = (assignments: readonly RoleAssignment[], principalId: string | undefined): string => {
  const principal = principalId === undefined ? '"$PRINCIPAL_ID"' : quoted(principalId)
  const head =
    principalId === undefined
      ? [
          '# The object ID of the controller identity:',
          '# PRINCIPAL_ID=$(az identity show --name karpenter --resource-group RESOURCE_GROUP --query principalId --output tsv)',
          `: "\${PRINCIPAL_ID:?set it to the object ID of the controller identity}"`,
        ]
      : []
  const commands = assignments.flatMap((assignment) => {
    const { name, id } = builtInRoles[assignment.role]
    return [
      '',
      `# ${name}: ${rolePurpose(assignment)}`,
      'az role assignment create \\',
      `  --assignee-object-id ${principal} --assignee-principal-type ServicePrincipal \\`,
      `  --role ${id} \\`,
      `  --scope ${quoted(assignment.scope)}`,
    ]
  })
  return `${['set -euo pipefail', ...head, ...commands].join('\n')}\n`
}
