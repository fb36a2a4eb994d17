import type { EC2NodeClass } from '../../src/node-class/ec2-node-class.ts'
import { ec2NodeClass as buildEc2NodeClass } from '../../src/testing/ec2-node-class.ts'
import { awsNames } from './cloud-names.ts'

/** The EC2NodeClass of every NodePool on AWS. The account has everything that it selects. */
export const ec2NodeClass: EC2NodeClass = buildEc2NodeClass(awsNames.nodeClassRef.name)
