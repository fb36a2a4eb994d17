// What is called of EKS. Named here so that a bundle leaves the rest of the client out.
export { DescribeClusterCommand, EKSClient } from '@aws-sdk/client-eks'
