import torch
import torch.distributed as dist


def average_gradients(model):
    size = float(dist.get_world_size())
    for param in model.parameters():
        dist.all_reduce(param.grad.data, op=dist.ReduceOp.SUM)
        param.grad.data /= size


def run(rank, size):
    torch.manual_seed(1234)
    model = torch.nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    data, target = torch.randn(8, 6), torch.randn(8, 2)
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(data), target)
    loss.backward()
    average_gradients(model)
    optimizer.step()
    print("Rank", dist.get_rank(), ", loss:", loss.item())


if __name__ == "__main__":
    dist.init_process_group("mpi")
    run(dist.get_rank(), dist.get_world_size())
