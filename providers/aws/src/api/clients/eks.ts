// The exports of the EKS client that Kerf uses. Listing them here keeps the rest of the client out of the bundle.
export { DescribeClusterCommand, EKSClient } from '@aws-sdk/client-eks'
