import type { CloudName } from '../../runs/cloud-names.ts'
import { awsCloud } from './aws-cloud.ts'
import { azureCloud } from './azure-cloud.ts'
import type { Cloud, CloudHost } from './cloud.ts'
import { clusterApiCloud } from './cluster-api-cloud.ts'
import { exampleCloud } from './example-cloud.ts'
import { kwokCloud } from './kwok-cloud.ts'
import { simulatedCloud } from './simulated-cloud.ts'

/** What makes each cloud of the simulation. */
export const clouds: Readonly<Record<CloudName, (host: CloudHost) => Cloud>> = {
  aws: awsCloud,
  azure: azureCloud,
  'cluster-api': clusterApiCloud,
  example: exampleCloud,
  kwok: kwokCloud,
  simulated: simulatedCloud,
}

/**
 * How many turns of the event loop code gets between two timers. Azure's SDK waits for turns by itself: its transport imports what
 * it needs for each request.
 */
export const turnsOf = (cloud: CloudName): number => (cloud === 'azure' ? 3 : 1)
