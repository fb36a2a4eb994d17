import { expression, terraformJson } from '@kerf/provider-kit/terraform'
import { controllerPolicy, type RamPolicy, type TrustedPod, trustPolicy } from '../ram/ram-policy.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const compact = (policy: RamPolicy): string => JSON.stringify(policy)

/** Returns the commands of the Alibaba Cloud CLI that create the role and its policy. */
export const cliCommands = (name: string, pod: TrustedPod): string =>
  `${[
    'set -eu',
    '',
    '# The policy of the controller:',
    `aliyun ram CreatePolicy --PolicyName ${quoted(name)} \\`,
    `  --PolicyDocument ${quoted(compact(controllerPolicy()))}`,
    '',
    '# Its role, which only the service account of the controller may assume:',
    `aliyun ram CreateRole --RoleName ${quoted(name)} \\`,
    `  --AssumeRolePolicyDocument ${quoted(compact(trustPolicy(pod)))}`,
    '',
    `aliyun ram AttachPolicyToRole --PolicyType Custom --PolicyName ${quoted(name)} --RoleName ${quoted(name)}`,
  ].join('\n')}\n`

/** Escapes `${` for Terraform, because Terraform treats strings as templates. Policies may contain `${`. */
const literal = (policy: RamPolicy): string => compact(policy).replaceAll('${', '$${')

/** Returns the role and its policy as a Terraform module in JSON syntax, for a file `main.tf.json`. */
export const terraformRole = (name: string, pod: TrustedPod): string =>
  terraformJson({
    terraform: { required_providers: { alicloud: { source: 'aliyun/alicloud', version: '>= 1.220' } } },
    provider: {},
    variable: {},
    locals: {},
    resource: [
      {
        type: 'alicloud_ram_policy',
        name: 'controller',
        arguments: { policy_name: name, policy_document: literal(controllerPolicy()) },
      },
      {
        type: 'alicloud_ram_role',
        name: 'controller',
        arguments: { role_name: name, assume_role_policy_document: literal(trustPolicy(pod)) },
      },
      {
        type: 'alicloud_ram_role_policy_attachment',
        name: 'controller',
        arguments: {
          policy_name: expression('alicloud_ram_policy.controller.policy_name'),
          policy_type: 'Custom',
          role_name: expression('alicloud_ram_role.controller.role_name'),
        },
      },
    ],
    output: { role_name: { value: expression('alicloud_ram_role.controller.role_name') } },
  })
