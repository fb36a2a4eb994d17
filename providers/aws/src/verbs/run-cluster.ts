import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { stringify } from 'yaml'
import { type ClusterChoices, eksctlConfig } from '../installation/eksctl-config.ts'
import { installNames, policyScope, type TargetOptions } from '../installation/install-target.ts'
import { terraformConfig } from '../installation/terraform-config.ts'

export interface ClusterOptions extends TargetOptions {
  readonly fargate?: boolean
  readonly namespace: string
  readonly kubernetesVersion?: string
}

const clusterChoices = ({ fargate, namespace, kubernetesVersion }: ClusterOptions): ClusterChoices => {
  if (kubernetesVersion !== undefined && !/^1\.\d+$/.test(kubernetesVersion))
    throw new UsageError(`--kubernetes-version ${JSON.stringify(kubernetesVersion)} is not an EKS version such as 1.34`)
  return {
    home: fargate === true ? 'fargate' : 'managed-nodes',
    namespace,
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
  }
}

/** Runs `kerf aws eksctl`: prints the commands to run, then the cluster definition that these commands use. */
export const runEksctl = (options: ClusterOptions, streams: Pick<VerbStreams, 'stdout' | 'env'>): void => {
  const names = installNames(options)
  const scope = policyScope(options, streams.env)
  const config = eksctlConfig(names, scope, clusterChoices(options))
  const given = options.nodeRoleName === undefined ? '' : ` --node-role-name ${options.nodeRoleName}`
  const identity = options.fargate === true ? ' --identity none' : ''
  const head = [
    '# Roles, queue and rules first, then the cluster:',
    `#   kerf aws cloudformation --cluster-name ${scope.clusterName}${given}${identity} > roles.yaml`,
    `#   aws cloudformation deploy --region ${scope.region} --stack-name Karpenter-${scope.clusterName.replaceAll('_', '-')} --template-file roles.yaml --capabilities CAPABILITY_NAMED_IAM`,
    '#   eksctl create cluster -f THIS_FILE',
  ]
  streams.stdout.write(`${head.join('\n')}\n${stringify(config, { lineWidth: 0, compat: 'yaml-1.1' })}`)
}

/** Runs `kerf aws terraform`. */
export const runTerraform = (options: ClusterOptions, streams: Pick<VerbStreams, 'stdout' | 'env'>): void => {
  streams.stdout.write(
    terraformConfig(installNames(options), policyScope(options, streams.env), clusterChoices(options)),
  )
}
