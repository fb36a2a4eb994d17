// What is called of SQS. Named here so that a bundle leaves the rest of the client out.
export { DeleteMessageCommand, GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
