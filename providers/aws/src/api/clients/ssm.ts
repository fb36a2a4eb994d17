// The exports of the SSM client that Kerf uses. Listing them here keeps the rest of the client out of the bundle.
export { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
