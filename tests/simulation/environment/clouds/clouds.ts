import type { CloudName } from '../../runs/cloud-names.ts'
import { awsCloud } from './aws-cloud.ts'
import { azureCloud } from './azure-cloud.ts'
import type { Cloud, CloudHost } from './cloud.ts'
import { clusterApiCloud } from './cluster-api-cloud.ts'
import { exampleCloud } from './example-cloud.ts'
import { kwokCloud } from './kwok-cloud.ts'
import { simulatedCloud } from './simulated-cloud.ts'

/** The functions that create the simulated clouds. */
export const clouds: Readonly<Record<CloudName, (host: CloudHost) => Cloud>> = {
  aws: awsCloud,
  azure: azureCloud,
  'cluster-api': clusterApiCloud,
  example: exampleCloud,
  kwok: kwokCloud,
  simulated: simulatedCloud,
}

/**
 * How many turns of the event loop pass between two timers. Azure's SDK needs more turns, because its transport imports modules
 * for each request.
 */
export const turnsOf = (cloud: CloudName): number => (cloud === 'azure' ? 3 : 1)
