// What is called of SSM. Named here so that a bundle leaves the rest of the client out.
export { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
