import type { ActionName } from './actions.ts'

export type Product = 'ecs' | 'vpc' | 'cs'

/** How an action is sent: with parameters in the query (RPC), or with a path and a JSON body (ROA). */
export type ActionRoute =
  | { readonly product: 'ecs' | 'vpc'; readonly style: 'RPC' }
  | {
      readonly product: 'cs'
      readonly style: 'ROA'
      readonly method: 'GET' | 'POST'
      /** `{ClusterId}` is replaced by the parameter. */
      readonly path: string
      /** Whether the response is plain text. */
      readonly isText?: true
    }

/** The versions of the products' APIs. */
export const productVersions: Readonly<Record<Product, string>> = {
  ecs: '2014-05-26',
  vpc: '2016-04-28',
  cs: '2015-12-15',
}

const ecs = { product: 'ecs', style: 'RPC' } as const

/** The routes of all actions. */
export const actionRoutes: Readonly<Record<ActionName, ActionRoute>> = {
  DescribeInstanceTypes: ecs,
  DescribeAvailableResource: ecs,
  DescribeSecurityGroups: ecs,
  DescribeImages: ecs,
  CreateAutoProvisioningGroup: ecs,
  DescribeInstances: ecs,
  ListTagResources: ecs,
  DeleteInstance: ecs,
  AddTags: ecs,
  DescribeSpotPriceHistory: ecs,
  DescribeVSwitches: { product: 'vpc', style: 'RPC' },
  DescribeClusterDetail: { product: 'cs', style: 'ROA', method: 'GET', path: '/clusters/{ClusterId}' },
  DescribeClusterNodePools: { product: 'cs', style: 'ROA', method: 'GET', path: '/clusters/{ClusterId}/nodepools' },
  DescribeClusterAttachScripts: {
    product: 'cs',
    style: 'ROA',
    method: 'POST',
    path: '/clusters/{ClusterId}/attachscript',
    isText: true,
  },
  DescribeKubernetesVersionMetadata: { product: 'cs', style: 'ROA', method: 'GET', path: '/api/v1/metadata/versions' },
}

/** Actions that change resources in the account. */
export const writingActions = [
  'CreateAutoProvisioningGroup',
  'DeleteInstance',
  'AddTags',
] as const satisfies readonly ActionName[]
