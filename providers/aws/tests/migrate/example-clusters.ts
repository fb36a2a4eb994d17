import type { ExampleCluster } from '../../../../tests/integration/migrate/objects.ts'
import { batch } from './example-clusters/batch.ts'
import { gpu } from './example-clusters/gpu.ts'
import { webShop } from './example-clusters/web-shop.ts'

/**
 * Three clusters on Cluster Autoscaler with at least thirty nodes, in the formats that users export: a web shop on managed node groups, a
 * batch cluster on Auto Scaling groups with spot instances, and a GPU cluster in an eksctl file. The instance types are those of EC2.
 */
export const exampleClusters: readonly ExampleCluster[] = [webShop(), batch(), gpu()]
