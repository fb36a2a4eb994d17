import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { stringify } from 'yaml'
import { type ControllerIdentity, cloudFormationTemplate } from '../installation/cloudformation-template.ts'
import { installNames, type TargetOptions } from '../installation/install-target.ts'

export interface CloudFormationOptions extends Pick<TargetOptions, 'clusterName' | 'nodeRoleName'> {
  readonly identity: ControllerIdentity['kind']
  readonly oidcIssuer?: string
  readonly namespace: string
  readonly intoCluster?: boolean
  readonly output: 'yaml' | 'json'
}

const controllerIdentity = ({ identity, oidcIssuer }: CloudFormationOptions): ControllerIdentity => {
  if (identity !== 'irsa') {
    if (oidcIssuer !== undefined) throw new UsageError('--oidc-issuer needs --identity irsa')
    return { kind: identity }
  }
  const issuer = oidcIssuer?.replace(/^https:\/\//, '').replace(/\/$/, '')
  if (issuer === undefined || !/^[a-z0-9.-]+\/[A-Za-z0-9./_-]+$/.test(issuer))
    throw new UsageError(
      '--identity irsa needs --oidc-issuer, the URL that aws eks describe-cluster prints as identity.oidc.issuer',
    )
  return { kind: 'irsa', issuer }
}

/** Runs `kerf aws cloudformation`. */
export const runCloudFormation = (
  options: CloudFormationOptions,
  streams: Pick<VerbStreams, 'stdout' | 'env'>,
): void => {
  const template = cloudFormationTemplate(installNames(options), {
    identity: controllerIdentity(options),
    namespace: options.namespace,
    intoCluster: options.intoCluster === true,
  })
  streams.stdout.write(
    options.output === 'json'
      ? `${JSON.stringify(template, null, 2)}\n`
      : stringify(template, { lineWidth: 0, version: '1.1' }),
  )
}
