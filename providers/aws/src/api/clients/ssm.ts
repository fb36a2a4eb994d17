// The parts of the SSM client that are used. Listing them here keeps the rest of the client out of the bundle.
export { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
