import { expression, terraformJson } from '@kerf/provider-kit/terraform'
import { builtInRoles } from '../roles/built-in-roles.ts'
import type { RoleAssignment } from '../roles/role-assignments.ts'
import { rolePurpose } from './role-commands.ts'

/** Returns the assignments as a Terraform module in JSON syntax, for a file `main.tf.json`. */
export const terraformRoles = (assignments: readonly RoleAssignment[], principalId: string | undefined): string =>
  terraformJson({
    terraform: { required_providers: { azurerm: { source: 'hashicorp/azurerm', version: '>= 4.0' } } },
    provider: {},
    variable: {
      principal_id: {
        type: 'string',
        description: 'object ID of the controller identity',
        ...(principalId === undefined ? {} : { default: principalId }),
      },
    },
    locals: {},
    resource: assignments.map((assignment, index) => ({
      type: 'azurerm_role_assignment',
      name: `karpenter_${index + 1}`,
      arguments: {
        scope: assignment.scope,
        role_definition_name: builtInRoles[assignment.role].name,
        principal_id: expression('var.principal_id'),
        principal_type: 'ServicePrincipal',
        description: rolePurpose(assignment),
      },
    })),
    output: {},
  })
