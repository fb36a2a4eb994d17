// The exports of the SQS client that Kerf uses. Listing them here keeps the rest of the client out of the bundle.
export { DeleteMessageCommand, GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
