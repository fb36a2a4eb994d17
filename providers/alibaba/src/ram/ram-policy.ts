import { ramStatements, SERVICE_ROLE } from './ram-actions.ts'

/** A RAM policy (https://www.alibabacloud.com/help/en/ram/user-guide/policy-structure-and-syntax). */
export interface RamPolicy {
  readonly Version: '1'
  readonly Statement: readonly RamStatement[]
}

export interface RamStatement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Action: readonly string[] | string
  readonly Resource?: readonly string[] | string
  readonly Principal?: Readonly<Record<string, readonly string[]>>
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

/**
 * Returns the policy of the controller. Its actions are generated from the API calls in the controller's code. The policy does not restrict
 * resources, because it is untested which resources and conditions RAM supports for these actions.
 */
export const controllerPolicy = (): RamPolicy => ({
  Version: '1',
  Statement: [
    ...ramStatements().map(({ actions }): RamStatement => ({ Effect: 'Allow', Action: actions, Resource: '*' })),
    {
      ...{ Effect: 'Allow', Action: SERVICE_ROLE.action, Resource: '*' },
      Condition: { StringEquals: { 'ram:ServiceName': SERVICE_ROLE.service } },
    },
  ],
})

/** The service account that may assume the controller's role. */
export interface TrustedPod {
  readonly accountId: string
  readonly clusterId: string
  /** The issuer of the cluster's service account tokens. */
  readonly issuer: string
  readonly namespace: string
  readonly serviceAccount: string
}

/** Returns the policy that allows the controller's service account to assume the role (RRSA). */
export const trustPolicy = ({ accountId, clusterId, issuer, namespace, serviceAccount }: TrustedPod): RamPolicy => ({
  Version: '1',
  Statement: [
    {
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { Federated: [`acs:ram::${accountId}:oidc-provider/ack-rrsa-${clusterId}`] },
      Condition: {
        StringEquals: {
          'oidc:aud': 'sts.aliyuncs.com',
          'oidc:iss': issuer,
          'oidc:sub': `system:serviceaccount:${namespace}:${serviceAccount}`,
        },
      },
    },
  ],
})
