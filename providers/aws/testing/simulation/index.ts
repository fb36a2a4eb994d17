import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { awsCloud } from './aws-cloud.ts'
import { drawAwsCall, drawAwsFaults } from './aws-faults.ts'
import { awsNames } from './cloud-names.ts'

/** AWS in the fault simulation. A run on AWS takes about twice as long as other runs. */
export const simulation: CloudSimulation = {
  name: 'aws',
  names: awsNames,
  share: 0.3,
  drawCall: drawAwsCall,
  drawOwn: drawAwsFaults,
  create: awsCloud,
}
