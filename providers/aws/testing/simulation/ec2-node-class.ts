import type { EC2NodeClass } from '@kerf/apis'
import { ec2NodeClass as buildEc2NodeClass } from '@kerf/testing'
import { awsNames } from './cloud-names.ts'

/** The EC2NodeClass of every NodePool on AWS. The account has everything that it selects. */
export const ec2NodeClass: EC2NodeClass = buildEc2NodeClass(awsNames.nodeClassRef.name)
