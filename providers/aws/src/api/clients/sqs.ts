// The parts of the SQS client that are used. Listing them here keeps the rest of the client out of the bundle.
export { DeleteMessageCommand, GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
